"""The plan document: the Core IR as JSON, and back.

In: `ir.module.Module`.  Out: a JSON document of version 1, and the same module again from one.  `write.py` and `read.py` are the two
directions; `dims.py`, `types.py`, `attributes.py` and `declarations.py` hold both for their part; `root.py` finds the root block and
`manifest.py` lists its parameters, buffers and states.
"""
