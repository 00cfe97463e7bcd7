"""Protobuf text format without a schema: every field kept in order, known or not.

In: text.  Out: a tree of fields with their lines (`tree.Field`), problems where the text is wrong, and text again.

    scalars.py  what the text of a scalar means
    tree.py     fields, and the questions asked of them
    read.py     text -> fields
    write.py    fields -> text
"""
