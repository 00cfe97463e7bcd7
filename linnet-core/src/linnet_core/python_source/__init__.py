"""What every target that prints Python shares: the list of steps, names, quoting, literals, layout and the passes over steps.

In: calls, through `target.py`.  Out: lines of Python.  Nothing here knows a framework, and nothing reads generated text.
"""
