"""Rewrites of the list of steps that are this target's own; `target.py` says in which order they run with the shared ones."""
