"""Field trees as the view that all tools work on.

In: a field tree (`linnet_ge.prototext`).  Out: `linnet_ge.model.Dump`.
"""
