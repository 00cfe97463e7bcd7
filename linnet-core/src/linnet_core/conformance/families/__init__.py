"""Cases by family, in files named as those of `graph/calls`.

In: the dtypes of the language.  Out: `cases()`, each an entry of calls of that family with its arrays.
"""
