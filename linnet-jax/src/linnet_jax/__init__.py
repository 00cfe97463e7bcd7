"""The JAX target of Linnet.

In: the calls of one entry.  Out: straight-line source, printed without jax and run with it.

    hooks.py     what the plugin gives; light
    calls.py     calls this target makes of library calls before it prints (attention with its mask as a flag)
    target.py    takes calls, declines, and prints the module
    dialect.py   how JAX is written, for the printer of functions that Python targets share
    writer.py    dtypes and numbers as jax.numpy spells them
    passes/      rewrites of the list of steps, and what is found out about them, in the order they run
    emit/        one file a family of calls: a step to text
    support.py   the functions printed source may need, as text
    runner.py    runs printed source on NumPy arrays; the only file that imports jax
"""
