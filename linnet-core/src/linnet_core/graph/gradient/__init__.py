"""The gradient of a whole entry, as a target around a target.

In: the calls of an entry.  Out: the same calls, those of the way back after them, and a `finish` with the gradients.

    tape.py        keeps the calls of the entry
    guarded.py     reads at positions in the arm of an `if` that was not taken
    invariant.py   parts that are the same in all turns of a loop
    activity.py    which values a gradient may flow through
    needs.py       which of a loop's values its way back reads
    turns.py       the rows that the turns of a loop read and write, each once
    terms.py       calls on the target, written as expressions
    forward.py     emits the calls of the entry
    exchanging.py  the exchanges between processes, and what their bodies say
    rules/         what each kind of call gives its operands
    adjoints.py    adds that up
    reverse.py     walks back
    wrapper.py     the target around a target
    request.py     the door, and what an entry has to be for a gradient
"""
