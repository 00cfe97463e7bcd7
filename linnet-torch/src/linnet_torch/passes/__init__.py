"""Rewrites of the list of steps that are this target's own; `target.py` says in which order they run with the shared ones.

In: steps.  Out: steps.

    rows.py         takes rows by positions as they come
    spell.py        makes attention and cache writes calls of this target's own, with parts that can be shared
"""
