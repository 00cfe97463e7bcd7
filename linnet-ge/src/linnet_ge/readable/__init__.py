"""Readable dumps and a model of them that keeps how they are spelled.

In: text.  Out: the same text, canonical text, the JSON document, the view of `linnet_ge.model`.

    records.py        the model: records that keep how they are spelled
    spelling.py       one record's text in any spelling -> its fields
    pieces.py         where the records of irregular text begin and end
    references.py     the names inside `inputs = (...)` and `return (...)`
    names.py          the names that the emitter makes up
    order.py          the order in which graphs are printed
    record_text.py    records -> their canonical text
    scan.py           text -> records
    values.py         the text of an attribute's value <-> a typed value
    attributes.py     the text inside `attrs = {...}` as items
    bodies.py         the bodies of nodes, parsed when they are asked for
    view.py           records -> the view that all tools work on
    write.py          records -> text, the same or in one spelling
    document.py       records -> the JSON document
    from_document.py  the JSON document -> records
    dump_text.py      a view, whatever it was made from -> text
"""
