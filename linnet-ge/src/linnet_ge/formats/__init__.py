"""Field trees as the view that all tools work on.

In: a path, or a field tree (`linnet_ge.prototext`).  Out: `linnet_ge.model.Dump`, and what it leaves out.

    files.py             a file of any format, told from its content
    ge_proto.py          GE's model, or a graph alone
    ge_onnx.py           GE's copy of ONNX
    attributes.py, onnx_attributes.py    the attributes of a node, decoded when they are asked for
    edges.py, naming.py  inputs, and what they are called in a readable dump
    tensors.py, dtypes.py    the data of tensors, data types
    rest.py              what a protobuf dump says and the view does not
"""
