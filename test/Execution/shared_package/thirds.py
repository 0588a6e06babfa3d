from . import constants


def third(v):
    return v / 3.0 + constants.OFFSET
