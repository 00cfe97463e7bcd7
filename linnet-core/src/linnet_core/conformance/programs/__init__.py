"""Whole programs, one file a subject; `cases()` of each gives them.

In: nothing.  Out: `ProgramCase`s: library calls at the sizes and values at which a library may answer otherwise than the op's body, and
what passes over an entry may get wrong.
"""
