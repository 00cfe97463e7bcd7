"""The table of operations, first part: data, arithmetic, shapes, positions, reductions, control.

In: nothing.  Out: text that `operations.py` reads, which says its form.
"""

#: One line for operations that are alike.
TENSOR = """
Data RefData: x -> y | index:I=0
Const Constant: -> y | value:TENSOR=
Variable: x -> y | index:I=0 value:TENSOR= container:S= shared_name:S=
FileConstant: -> y | file_path:S= file_id:S= shape:LI! dtype:T!
NoOp: ->
Identity: x -> y
IdentityN: x* -> y*
Assign: ref value -> ref | validate_shape:B=true use_locking:B=false

Add Sub Mul Div RealDiv FloorDiv TruncateDiv Mod FloorMod TruncateMod Maximum Minimum Pow: x1 x2 -> y
Neg Abs Sqrt Rsqrt Sin Cos Tanh Erf Erfc Square Sign Floor Ceil Reciprocal: x -> y
Round: x -> y | +decimals:I=0
Exp Log: x -> y | base:F=-1.0 scale:F=1.0 shift:F=0.0
Muls Adds: x -> y | value:F!
Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor: x1 x2 -> y
LogicalNot Invert: x -> y
LeftShift RightShift: x y -> z
Select: condition x1 x2 -> y
SelectV2: condition then else -> result
ClipByValue: x clip_value_min clip_value_max -> y
Addcmul Addcdiv: input_data x1 x2 value -> y
AddN: x* -> y | N:I!
Cast: x -> y | dst_type:I!
Bitcast: x -> y | type:T! keep_dim:B=false

Reshape: x shape -> y | axis:I=0 num_axes:I=-1
Transpose: x perm -> y
TransposeD: x -> y | perm:LI!
BroadcastTo Expand: x shape -> y
Tile: x multiples -> y
ExpandDims: x axis -> y
Unsqueeze: x -> y | axes:LI={}
UnsqueezeV2: x -> y | axis:LI={}
UnsqueezeV3: x axes -> y
Squeeze SqueezeV2: x -> y | axis:LI={}
SqueezeV3: x axes? -> y
Flatten: x -> y | axis:I=1
StridedSlice: x begin end strides -> y | begin_mask:I=0 end_mask:I=0 ellipsis_mask:I=0 new_axis_mask:I=0 shrink_axis_mask:I=0
StridedSliceV2: x begin end axes? strides? -> y | begin_mask:I=0 end_mask:I=0 ellipsis_mask:I=0 new_axis_mask:I=0 shrink_axis_mask:I=0
Slice: x offsets size -> y
ConcatV2: x* concat_dim -> y | N:I=1
ConcatD: x* -> y | concat_dim:I! N:I=1
Concat: concat_dim x* -> y | N:I=1
Pack: x* -> y | axis:I=0 N:I=1
Unpack: x -> y* | num:I! axis:I=0
Split: split_dim x -> y* | num_split:I!
SplitD: x -> y* | split_dim:I! num_split:I!
SplitV: x size_splits split_dim -> y* | num_split:I!
SplitVD: x -> y* | size_splits:LI! split_dim:I! num_split:I!
Pad: x paddings -> y
PadV3: x paddings constant_values? -> y | mode:S=constant paddings_contiguous:B=true
Shape Size: x -> y | dtype:I=3
Rank: x -> y
Empty: shape -> y | dtype:I=3 init:B=false
Fill: dims value -> y
ZerosLike OnesLike: x -> y
Range: start limit delta -> y | +is_closed:B=false

Gather: x indices -> y | validate_indices:B=true batch_dims:I=0 is_preprocessed:B=false negative_index_support:B=false
GatherV2: x indices axis -> y | batch_dims:I=0 is_preprocessed:B=false negative_index_support:B=false
GatherNd: x indices -> y | negative_index_support:B=false
GatherElements: x index -> y | dim:I=0
ScatterUpdate ScatterNdUpdate ScatterAdd ScatterNdAdd: var indices updates -> var | use_locking:B=false
ScatterElements: data indices updates -> y | axis:I=0 reduction:S=none
ScatterNd: indices x shape -> y
TensorScatterUpdate TensorScatterAdd: x indices updates -> y
MaskedFill: x mask value -> y
MaskedSelect: x mask -> y
Where: x -> y
NonZero: x -> y | transpose:B=false dtype:T=DT_INT64
TopKV2: x k -> values indices | sorted:B=true dim:I=-1 largest:B=true +indices_dtype:I=3
TopK: x k -> values indices | sorted:B=true largest:B=true dim:I=-1
OneHot: x depth on_value off_value -> y | axis:I=-1
ArgMaxV2: x dimension -> y | dtype:T=DT_INT64

ReduceSum ReduceMax ReduceMin ReduceProd: x axes -> y | keep_dims:B=false +noop_with_empty_axes:B=true
ReduceMean: x axes -> y | keep_dims:B=false noop_with_empty_axes:B=true
ReduceAny ReduceAll: x axes -> y | keep_dims:B=false
ReduceSumD: x -> y | axes:LI! keep_dims:B=false
ReduceMeanD: x -> y | axes:LI! keep_dims:B=false noop_with_empty_axes:B=false
Cumsum: x axis -> y | exclusive:B=false reverse:B=false

If StatelessIf: cond input* -> output* | | then_branch else_branch
While StatelessWhile: input* -> output* | parallel_iterations:I=10 | cond body
For: start limit delta input* -> output* | | body
Case StatelessCase: branch_index input* -> output* | | branches*
PartitionedCall StatefulPartitionedCall: args* -> output* | config:S= config_proto:S= executor_type:S= | f
"""
