"""The Graph Engine's dumps of graphs: written, read, compared.

In: files of a dump folder, or the calls of one entry.  Out: the same text, documents, tables, other formats.

    hooks.py     what the plugin gives; light
    text/        bytes of a file -> text with its line ends, and which kind of dump it is
    model.py     the one view all tools work on, whatever the format
    readable/    readable dumps <-> a model that keeps how they are spelled; the JSON document
    commands/    `linnet ge ...`, one file a command
"""
