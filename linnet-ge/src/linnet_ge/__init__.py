"""The Graph Engine's dumps of graphs: written, read, compared.

In: files of a dump folder, or the calls of one entry.  Out: the same text, documents, tables, other formats.

    hooks.py     what the plugin gives; light
    text/        bytes of a file -> text with its line ends, and which kind of dump it is
    model.py     the one view all tools work on, whatever the format
    readable/    readable dumps <-> a model that keeps how they are spelled; the JSON document
    prototext/   protobuf text <-> fields in order, known or not
    ir/          the table of GE's operations and data types
    formats/     a file of any format -> the view
    from_graph/  a graph document -> a dump
    convert/     a dump in another form, and what of it is lost
    tools/       what people do with dumps: counts, differences, folders, checks, parts
    commands/    `linnet ge ...`, one file a command
"""
