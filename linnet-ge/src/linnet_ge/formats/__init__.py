"""Field trees as the view that all tools work on.

In: a path, or a field tree (`linnet_ge.prototext`).  Out: `linnet_ge.model.Dump`, and what it leaves out.

    files.py            a file of any format, told from its content
    ge_proto.py         GE's model, or a graph alone
    ge_onnx.py          GE's copy of ONNX
    attributes.py       the attributes of a node of GE's protobuf text, decoded when they are asked for
    onnx_attributes.py  those of a node of the copy of ONNX
    edges.py            inputs
    naming.py           what inputs are called in a readable dump
    tensors.py          the data of tensors
    dtypes.py           data types
    roots.py            which fields of a file hold its graphs
    rest.py             what a protobuf dump says and the view does not
"""
