"""A step to text, one file a family of calls, named as in `linnet_core.graph.calls`.

In: the call of a step, and the writer that knows the names.  Out: the text of one expression.  Each file gives `WRITERS`: the
call's type to a function of (writer, call) that answers one expression.  Brackets and `finish` are written by the shared printer.
`expressions.py` beside this folder holds them together; nothing is imported here, since a target asks `native.py` alone what it takes.
"""
