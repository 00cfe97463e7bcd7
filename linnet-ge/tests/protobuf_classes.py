"""The messages of GE's dumps as protobuf classes, made from a table: what protobuf itself reads and writes is held beside ours.

In: nothing.  Out: `ge_model()`, `ge_graph()`, `onnx_model()`: message classes.  An entry of a table is `NUMBER NAME TYPE`; `*` after
the type is repeated, `map` a map from strings, `|` a member of the message's oneof.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from linnet_ge.ir.dtypes import PROTO


def _words(text: str) -> list[str]:
    return text.split()


GE = """
ModelDef: 1 name string, 2 version uint32, 3 custom_version string, 7 graph GraphDef*, 11 attr AttrDef map
GraphDef: 1 name string, 4 input string*, 5 output string*, 6 op OpDef*, 11 attr AttrDef map
OpDef: 1 name string, 2 type string, 5 input string*, 10 attr AttrDef map, 20 has_out_attr bool, 21 id int64, 22
    stream_id int64, 23 input_name string*, 24 src_name string*, 25 src_index int64*, 26 dst_name string*, 27
    dst_index int64*, 28 input_i int64*, 29 output_i int64*, 30 workspace int64*, 31 workspace_bytes int64*, 32
    is_input_const bool*, 33 input_desc TensorDescriptor*, 34 output_desc TensorDescriptor*, 35 subgraph_name
    string*
TensorDescriptor: 1 name string, 2 dtype DataType, 3 shape ShapeDef, 4 layout string, 5 attr AttrDef map, 9
    has_out_attr bool, 10 size int64, 11 weight_size int64, 12 reuse_input bool, 13 output_tensor bool, 14
    device_type string, 15 input_tensor bool, 16 real_dim_cnt int64, 17 reuse_input_index int64, 18 data_offset
    int64, 19 cmps_size int64, 20 cmps_tab string, 21 cmps_tab_offset int64
ShapeDef: 1 dim int64*
TensorDef: 1 desc TensorDescriptor, 2 data bytes
NamedAttrs: 1 name string, 2 attr AttrDef map
ListInt: 1 list_i int64*
ListListInt: 1 list_list_i ListInt*
ListFloat: 1 list_f float*
ListListFloat: 1 list_list_f ListFloat*
ListValue: 2 s bytes*, 3 i int64*, 4 f float*, 5 b bool*, 7 bt bytes*, 8 td TensorDescriptor*, 9 t TensorDef*, 10 g
    GraphDef*, 11 na NamedAttrs*, 12 dt int64*, 20 val_type ListValueType
AttrDef: 1 list ListValue|, 2 s bytes|, 3 i int64|, 4 f float|, 5 b bool|, 7 bt bytes|, 10 func NamedAttrs|, 11 td
    TensorDescriptor|, 12 t TensorDef|, 13 g GraphDef|, 14 list_list_int ListListInt|, 15 dt int64|, 16
    list_list_float ListListFloat|
"""
GE_ENUMS = {
    "DataType": {number: {"DT_BFLOAT16": "DT_BF16"}.get(name, name) for number, name in PROTO.items()},
    "ListValueType": {
        number: f"VT_LIST_{name}"
        for number, name in enumerate(_words("NONE STRING INT FLOAT BOOL BYTES TENSOR_DESC TENSOR GRAPH NAMED_ATTRS DATA_TYPE"))
    },
}

ONNX = """
ModelProto: 1 ir_version int64, 2 producer_name string, 3 producer_version string, 4 domain string, 5 model_version
    int64, 6 doc_string string, 7 graph GraphProto, 8 opset_import OperatorSetIdProto*
OperatorSetIdProto: 1 domain string, 2 version int64
GraphProto: 1 node NodeProto*, 2 name string, 5 initializer TensorProto*, 10 doc_string string, 11 input
    ValueInfoProto*, 12 output ValueInfoProto*, 13 value_info ValueInfoProto*
NodeProto: 1 input string*, 2 output string*, 3 name string, 4 op_type string, 5 attribute AttributeProto*, 6
    doc_string string, 7 domain string
AttributeProto: 1 name string, 2 f float, 3 i int64, 4 s bytes, 5 t TensorProto, 6 g GraphProto, 7 floats float*, 8
    ints int64*, 9 strings bytes*, 10 tensors TensorProto*, 11 graphs GraphProto*, 13 doc_string string, 20 type
    AttributeType
ValueInfoProto: 1 name string, 2 type TypeProto, 3 doc_string string
TypeProto: 1 tensor_type Tensor
Tensor: 1 elem_type int32, 2 shape TensorShapeProto
TensorShapeProto: 1 dim Dimension*
Dimension: 1 dim_value int64|, 2 dim_param string|
TensorProto: 1 dims int64*, 2 data_type int32, 4 float_data float*, 5 int32_data int32*, 7 int64_data int64*, 8 name
    string, 9 raw_data bytes, 10 double_data double*, 11 uint64_data uint64*
"""
ONNX_ENUMS = {
    "AttributeType": dict(enumerate(_words("UNDEFINED FLOAT INT STRING TENSOR GRAPH FLOATS INTS STRINGS TENSORS GRAPHS"))),
}


def ge_model() -> Any:
    """The class of `ModelDef`."""
    return _classes("ge", GE)["ge.ModelDef"]


def ge_graph() -> Any:
    """The class of `GraphDef`."""
    return _classes("ge", GE)["ge.GraphDef"]


def onnx_model() -> Any:
    """The class of `ModelProto`."""
    return _classes("onnx", ONNX)["onnx.ModelProto"]


@cache
def _classes(package: str, table: str) -> dict[str, Any]:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    enums = GE_ENUMS if package == "ge" else ONNX_ENUMS
    for name, words in enums.items():
        enum = file.enum_type.add(name=name)
        for number, word in words.items():
            enum.value.add(name=word, number=number)
    for line in table.strip().replace("\n    ", " ").splitlines():
        name, _, fields = line.partition(": ")
        message = file.message_type.add(name=name)
        for field in fields.split(", "):
            _add(message, package, set(enums), *field.split())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClassesForFiles([file.name], pool)


def _add(message: Any, package: str, enums: set[str], number: str, name: str, kind: str, form: str = "") -> None:
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto

    plain = kind.rstrip("*|")
    label = FieldDescriptorProto.LABEL_REPEATED if kind.endswith("*") or form == "map" else FieldDescriptorProto.LABEL_OPTIONAL
    field = message.field.add(name=name, number=int(number), label=label)
    if form == "map":
        entry = message.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
        entry.options.map_entry = True
        _add(entry, package, enums, "1", "key", "string")
        _add(entry, package, enums, "2", "value", plain)
        field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{package}.{message.name}.{entry.name}"
    elif plain[0].isupper():
        field.type = FieldDescriptorProto.TYPE_ENUM if plain in enums else FieldDescriptorProto.TYPE_MESSAGE
        field.type_name = f".{package}.{plain}"
    else:
        field.type = FieldDescriptorProto.Type.Value(f"TYPE_{plain.upper()}")
    if kind.endswith("|"):
        if not message.oneof_decl:
            message.oneof_decl.add(name="value")
        field.oneof_index = 0
