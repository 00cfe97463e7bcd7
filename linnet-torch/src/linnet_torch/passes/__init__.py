"""Rewrites of the list of steps that are this target's own; `source.py` says in which order they run with the shared ones.

In: steps.  Out: steps.

    rows.py     takes rows by positions as they come
    spell.py    makes attention and cache writes calls of this target's own, with parts that can be shared
    fetch.py    makes copies of parameters calls of this target's own, which need not be waited for
    packed.py   gives large matrices of weights that many rows are multiplied with to oneDNN
    upright.py  stores those that one row is multiplied with as one row reads them fastest
"""
