"""A model as a function of JAX: its parameters, the calls of its entries, the source they run.

In: a model and weights.  Out: `load` and `LinnetFunction`, which `linnet_jax` hands on.
"""
