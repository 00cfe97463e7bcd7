"""The Graph Engine's dumps of graphs: written, read, compared.

In: files of a dump folder, or the calls of one entry.  Out: the same text, documents, tables, other formats.

The rooms in the order of the data; each imports from those above it, and those that share a number know nothing of one another:

    documents/   1  the JSON Schemas of what commands print
    text/        1  bytes of a file -> text with its line ends, and which kind of dump it is
    model.py     2  the one view all tools work on, whatever the format
    readable/    3  readable dumps <-> a model that keeps how they are spelled; the JSON document
    prototext/   3  protobuf text <-> fields in order, known or not
    ir/          3  the table of GE's operations and data types
    formats/     4  a file of any format -> the view
    from_graph/  5  a graph document -> a dump
    convert/     5  a dump in another form, and what of it is lost
    tools/       5  what people do with dumps: counts, differences, folders, checks, parts
    commands/    6  `linnet ge ...`, one file a command
    hooks.py     7  what the plugin gives; light
"""
