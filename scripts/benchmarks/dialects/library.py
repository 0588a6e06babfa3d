import numpy as np


#appyc: def ordered(x: f32[N])
def ordered(x):
    return np.sort(x)


#appyc: def running(x: f32[N])
def running(x):
    return np.cumsum(x)


#appyc: def distinct(x: i32[N])
def distinct(x):
    return np.unique(x)
