# 'Recall.step' of 'story.recall', printed by linnet for PyTorch.
# main takes the inputs, the parameters in the order of PARAMETERS, the states in the order of STATES, then those of constants();
# it answers RESULTS results, then the states in the order of NEXT_STATES.  IN_PLACE names states whose tensor it overwrites.
import torch

INPUTS = ['x']
PARAMETERS = ['out', 'bias']
STATES = ['seen']
NEXT_STATES = ['seen']
RESULTS = 1
CONSTANTS = []
IN_PLACE = []


def constants(_device):
    return ()


def main(in_x, p0, p1, s0):
    v0 = s0[:, 1:3, :]
    v1 = in_x.reshape((2, 1, 4))
    v2 = torch.cat((v0, v1,), 1); del v0, v1
    v3 = torch.einsum("ab,acb->ac", in_x, v2)
    v4 = v3.amax(dim=(1,))
    v5 = v4.reshape((2, 1)).expand((2, 3)); del v4
    v6 = v3 - v5; del v3, v5
    v7 = torch.exp(v6); del v6
    v8 = v7.sum(dim=(1,))
    v9 = v8.reshape((2, 1)).expand((2, 3)); del v8
    v10 = v7 / v9; del v7, v9
    v11 = torch.einsum("ab,abc->ac", v10, v2); del v10
    v12 = torch.einsum("ab,cb->ac", v11, p0); del v11
    v13 = v12 + p1; del v12
    return (v13, v2)
