"""What is done to the list of steps, and found out about it, for this target only; `source.py` says in which order they run with the
shared ones.

In: steps.  Out: steps, or what is known of them.

    spell.py      makes attention a call of this target's own, whose mask may be a flag
    rows.py       answers the rows of states that only have rows written
    one_query.py  attends to such states by their value before and the row
    bits.py       whether anything needs 64 bits, and how far the values of i64 reach
"""
