"""The table of operations, second part: products, activations, norms, attention, images, devices.

In: nothing.  Out: text that `operations.py` reads, which says its form.
"""

_ATTENTION = "real_shift? drop_mask? padding_mask? atten_mask? prefix? actual_seq_qlen? actual_seq_kvlen? q_start_idx? kv_start_idx?"
_PROMPT = (
    "pse_shift? atten_mask? actual_seq_lengths? actual_seq_lengths_kv? deq_scale1? quant_scale1? deq_scale2? quant_scale2? quant_offset2?"
)
_INCREMENTAL = (
    "pse_shift? atten_mask? actual_seq_lengths? dequant_scale1? quant_scale1? dequant_scale2? quant_scale2? quant_offset2? "
    "antiquant_scale? antiquant_offset? block_table? kv_padding_size?"
)
_CONV = "dilations:LI={1,1,1,1} groups:I=1"
_POOL = "padding_mode:S=CALCULATED pads:LI={0,0,0,0} data_format:S=NCHW global_pooling:B=false ceil_mode:B=false"

#: One line for operations that are alike.
NETWORK = f"""
MatMul: x1 x2 bias? -> y | transpose_x1:B=false transpose_x2:B=false
MatMulV2: x1 x2 bias? offset_w? -> y | transpose_x1:B=false transpose_x2:B=false offset_x:I=0
MatMulV3: x1 x2 bias? offset_w? -> y | transpose_x1:B=false transpose_x2:B=false offset_x:I=0 opImplMode:I=1
BatchMatMul: x1 x2 -> y | adj_x1:B=false adj_x2:B=false
BatchMatMulV2: x1 x2 bias? offset_w? -> y | adj_x1:B=false adj_x2:B=false offset_x:I=0
Einsum: x* -> y | equation:S! N:I!
BiasAdd: x bias -> y | data_format:S=NHWC

Sigmoid Relu Gelu Softplus HardSwish Mish FastGelu: x -> y
Swish: x -> y | scale:F=1.0
GeluV2: x -> y | approximate:S=none
LeakyRelu: x -> y | negative_slope:F=0.0
Elu: x -> y | alpha:F=1.0 scale:F=1.0 input_scale:F=1.0
SwiGlu: x -> y | dim:I=-1
SoftmaxV2: x -> y | axes:LI={{-1}} half_to_float:B=false
LogSoftmaxV2: logits -> logsoftmax | axes:LI={{-1}}

LayerNorm: x gamma beta -> y mean variance | begin_norm_axis:I=0 begin_params_axis:I=0 epsilon:F=1e-7
LayerNormV3: x gamma beta -> y mean rstd | begin_norm_axis:I=0 begin_params_axis:I=0 epsilon:F=1e-5
LayerNormV4: x normalized_shape gamma? beta? -> y mean rstd | epsilon:F=1e-5
RmsNorm: x gamma -> y rstd | epsilon:F=1e-6
AddRmsNorm: x1 x2 gamma -> y rstd x | epsilon:F=1e-6
BatchNorm: x scale offset mean? variance? -> y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3 \
| epsilon:F=1e-4 data_format:S=NHWC is_training:B=true +exponential_avg_factor:F=1.0
BNInference: x mean variance momentum scale? offset? -> y | epsilon:F=1e-5 use_global_stats:B=true mode:I=1
GroupNorm: x gamma beta -> y mean variance | num_groups:I! data_format:S=NCHW eps:F=1e-4 is_training:B=true

FlashAttentionScore: query key value {_ATTENTION} d_scale_q? d_scale_k? d_scale_v? query_rope? key_rope? \
-> softmax_max softmax_sum softmax_out attention_out \
| scale_value:F=1.0 keep_prob:F=1.0 pre_tockens:I=2147483647 next_tockens:I=2147483647 head_num:I! input_layout:S! inner_precise:I=1 \
sparse_mode:I=0
PromptFlashAttention: query key value {_PROMPT} -> attention_out \
| num_heads:I! scale_value:F=1.0 pre_tokens:I=214748647 next_tokens:I=0 input_layout:S=BSH num_key_value_heads:I=1 sparse_mode:I=0 \
inner_precise:I=1
IncreFlashAttention: query key* value* {_INCREMENTAL} -> attention_out \
| num_heads:I! scale_value:F=1.0 input_layout:S=BSH num_key_value_heads:I=1 block_size:I=0 inner_precise:I=1
RotaryMul: x r1 r2 -> y
ApplyRotaryPosEmb: query key cos sin -> query key | layout:I=1 rotary_mode:S=half

Conv2D: x filter bias? offset_w? -> y | strides:LI! pads:LI! {_CONV} data_format:S=NHWC offset_x:I=0
Conv3D: x filter bias? offset_w? -> y | strides:LI! pads:LI! dilations:LI={{1,1,1,1,1}} groups:I=1 data_format:S=NDHWC offset_x:I=0
Conv2DTranspose: input_size x filter bias? offset_w? -> y \
| strides:LI! pads:LI! {_CONV} data_format:S=NHWC output_padding:LI={{0,0,0,0}} offset_x:I=0
DepthwiseConv2D: x filter bias? offset_w? -> y | strides:LI! dilations:LI={{1,1,1,1}} pads:LI! data_format:S=NHWC offset_x:I=0
MaxPool: x -> y | ksize:LI! strides:LI! padding:S! data_format:S=NHWC
MaxPoolV3: x -> y | ksize:LI! strides:LI! {_POOL}
AvgPoolV2: x -> y | ksize:LI! strides:LI! {_POOL} exclusive:B=true divisor_override:I=0
TransData: src -> dst | src_format:S! dst_format:S! src_subformat:I=0 dst_subformat:I=0 groups:I=1

HcomAllReduce: x -> y | reduction:S! group:S! fusion:I=1 fusion_id:I=-1
HcomAllGather: x -> y | rank_size:I! group:S! fusion:I=0 fusion_id:I=-1
"""
