"""What people do with dumps, whatever format they came in.

In: views (`linnet_ge.model`).  Out: values that commands print or write as documents.

    summary.py        counts: graphs, nodes, types, casts, dynamic shapes, constants
    matching.py       which node of one graph is which of another
    comparable.py     what two formats can both show
    graph_pairs.py    which graph of one dump is which of another
    diff.py           how two dumps differ
    folder.py         a folder of dumps in the order of their stages
    index.py          what its files hold
    trace.py          what became of a node from stage to stage
    findings.py       the rules of lint, and what a finding is
    cycles.py         cycles of a graph of numbers
    lint_nodes.py     what is wrong with nodes
    lint_elements.py  what is wrong with `get_element` lines
    lint_bodies.py    what is wrong with inputs, results and attributes
    lint_graphs.py    what is wrong with graphs, and with what nodes give them
    lint.py           what is wrong with a dump
    neighbourhood.py  the part of a graph around a node
    extract.py        that part as a dump of the same format
    extract_proto.py  protobuf text of it
    wording.py        how what a dump says stands in findings, differences and tables
    named.py          nodes by the names that people give
    explain.py        what is known of one node
"""
