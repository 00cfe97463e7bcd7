"""Finding and applying the JSON Schemas of `documents/`.  In: documents.  Out: their schema, or what is wrong with them and where."""
