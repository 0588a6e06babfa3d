"""Names of sizes, whatever they are: `from appy.dims import M, N`."""
from ._types import dim


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return dim(name)
