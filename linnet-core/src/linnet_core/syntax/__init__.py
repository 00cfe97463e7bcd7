"""Text to syntax tree.

In: a `Source`.  Out: `tree.File` through `parse_file.parse`.  Knows nothing of names, types or other files.
"""
