"""The Core IR: what a checked program becomes, and what the plan prints.

In: `check.program.Program`.  Out: `ir.module.Module`.  `ops.py` is the table of operations, `lower.py` makes a module, `verify.py` checks
it, `passes/` rewrite it, `library_calls.py` says which library calls may stand for an op, `entries.py` what can be exported, `show.py`
prints it for people.
"""
