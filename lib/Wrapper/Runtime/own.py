# What each wrapper has of its own, whether it shares the rest or stands alone. See common.py.
import importlib.util as _util


def _find_runtime(version):
    """Loads what the modules of this folder share, once: `appyc_runtime.py`, or the copy that keeps the version's name where
    another has taken its place."""
    name = f"appyc_runtime_{version}"
    if name in _sys.modules:
        return
    folder = _os.path.dirname(_os.path.abspath(__file__))
    path = _os.path.join(folder, f"{name}.py")
    if not _os.path.exists(path):
        path = _os.path.join(folder, "appyc_runtime.py")
    try:
        with open(path, encoding="utf-8") as file:
            same = version in file.read(500)
    except OSError as error:
        raise ImportError(f"{path}, which is written with {__file__}, cannot be read: {error}; {_AGAIN}") from None
    if not same:
        raise ImportError(f"{path} was not written with {__file__}, but by another version of appyc: {_AGAIN}")
    spec = _util.spec_from_file_location(name, path)
    module = _util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _sys.modules.setdefault(name, module)


_c = None  # what the library exports, once it has been loaded


def _load():
    """Loads the library that lies beside this file: at the first call, so that importing needs no library."""
    global _c
    _c = _library(__file__, _STEM, _BUILD, _ABI, _PREFIX, _EXPORTS)
    return _c


_print = _printer(lambda number, values: _PRINTS[number](values))


def _load_printing():
    """Loads the library, and says who prints for it."""
    exports = _load()
    exports.on_print(_print)
    return exports


def release_workspaces():
    """Frees the device memory that is kept for the temporaries of later calls, of other threads as well, and what libraries keep
    for them. Graphs that have been captured must not be launched any more."""
    _release(_c)
