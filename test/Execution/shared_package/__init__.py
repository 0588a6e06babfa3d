from .thirds import third as third
