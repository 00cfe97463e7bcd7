"""The gradient of a whole entry, as a target around a target.

In the order of the data: `tape` keeps the calls of the entry, `activity` says which values a gradient may flow through, `needs` which
of a loop's values its reverse pass reads; `forward` emits the calls, `rules` hold what each kind gives its operands, `adjoints` adds that
up, `reverse` and `loops` walk back; `wrapper` is the door.
"""
