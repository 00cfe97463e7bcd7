"""Core IR as Linnet source.

In: a `Module`, lowered or read from a plan.  Out: the text of its modules, which lowers to that `Module` again.
"""
