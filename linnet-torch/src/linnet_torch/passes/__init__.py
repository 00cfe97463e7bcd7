"""Rewrites of the list of steps, in the order `target.py` runs them: spell, (prune, constants: shared with other targets,) in_place."""
