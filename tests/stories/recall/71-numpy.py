# 'Recall.step' of 'story.recall', printed by linnet for NumPy.
# main takes the inputs, the parameters in the order of PARAMETERS, the states in the order of STATES, then those of constants();
# it answers RESULTS results, then the states in the order of NEXT_STATES.  IN_PLACE names states whose tensor it overwrites.
import numpy as np

INPUTS = ['x']
PARAMETERS = ['out', 'bias']
STATES = ['seen']
NEXT_STATES = ['seen']
RESULTS = 1
CONSTANTS = []
IN_PLACE = []


@np.errstate(all="ignore")
def constants():
    return ()


@np.errstate(all="ignore")
def main(in_x, p0, p1, s0):
    v0 = s0[:, 1:3, :]
    v1 = in_x.reshape((2, 1, 4))
    v2 = np.concatenate((v0, v1), 1); del v0, v1
    v3 = np.matmul(in_x.reshape((2, 1, 4)), v2.transpose((0, 2, 1))).reshape((2, 3))
    v4 = v3.max(axis=(1,))
    v5 = np.broadcast_to(v4.reshape((2, 1)), (2, 3)); del v4
    v6 = v3 - v5; del v3, v5
    v7 = np.exp(v6); del v6
    v8 = v7.sum(axis=(1,))
    v9 = np.broadcast_to(v8.reshape((2, 1)), (2, 3)); del v8
    v10 = v7 / v9; del v7, v9
    v11 = np.matmul(v10.reshape((2, 1, 3)), v2).reshape((2, 4)); del v10
    v12 = np.matmul(v11, p0.T); del v11
    v13 = v12 + p1; del v12
    return (v13, v2)
