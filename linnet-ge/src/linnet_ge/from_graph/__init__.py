"""A graph document of linnet -> a readable dump of the Graph Engine.

In: a graph document.  Out: `linnet_ge.model.Dump`, or its text.

    target.py       the target an entry is recorded for: it takes what GE has operations for
    steps.py        a graph document as steps that say only what is computed
    constants.py    values that are known
    scope.py        one graph in the making: nodes as the table of operations says
    making.py       what the rules of calls share
    contraction.py  rules: sums of products
    caches.py       rules: writes into caches
    images.py       rules: convolutions, pools, resizing
    native.py       rules: library calls
    elementary.py   rules: the calls that every target must take
    build.py        the graphs of a dump
    write.py        the door: the text of a dump
"""
