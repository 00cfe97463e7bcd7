"""Finding and applying the JSON Schemas of `documents/`, and reading documents field by field.

In: documents.  Out: their schema, their fields, or what is wrong with them and where.
"""
