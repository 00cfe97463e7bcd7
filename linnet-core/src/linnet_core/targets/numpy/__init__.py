"""The numpy target: the reference of all others.  It prints straight-line NumPy.

It follows every rule of docs/language/semantics.md to the letter.

    hooks.py     what the plugin gives; light
    calls.py     the call this target makes itself: a write into a cache
    target.py    takes calls, and declines
    source.py    prints the module
    dialect.py   how NumPy is written, for the printer all Python targets share
    writer.py    dtypes, and short floats that are computed in f32
    emit/        one file a family of calls: a step to text; their tables together are in expressions.py
    support.py   the functions printed source may need, as text
    runner.py    runs printed source; the only file that imports numpy
"""
