"""Readable dumps and a model of them that keeps how they are spelled.

In: text.  Out: the same text, canonical text, the JSON document, the view of `linnet_ge.model`.
"""
