"""A model as a `torch.nn.Module`: the members, the calls of its entries, the source they run.

In: a model and weights.  Out: `load` and `LinnetModule`, which `linnet_torch` hands on.
"""
