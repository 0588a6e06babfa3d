import numpy as np


def unclear(a, n):
    return a * n


def never(a):
    return a


def starred(*arrays):
    return arrays[0]


data = np.loadtxt("data.txt")
unclear(data, 3)
starred(np.zeros(3))
