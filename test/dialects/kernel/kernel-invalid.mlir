// RUN: dlm-opt %s --split-input-file --verify-diagnostics
// One case a constraint; the label is the function's name.

// expected-error @+2 {{a column space cannot have 1 dims}}
kernel.func @space_c1_column_with_one_dim(%x: tensor<4xf32>)
    -> (%y: tensor<4xf32>) over <column, [4]> {
}

// -----

// expected-error @+2 {{dim 1 needs a positive constant extent}}
kernel.func @space_c2_inner_extent_unknown(%x: tensor<4xf32>)
    -> (%y: tensor<4xf32>) over <row, [4, ?]> {
}

// -----

// expected-error @below {{order is not a permutation}}
func.func private @layout_c1_order_repeats(tensor<4x8xf32, #kernel.layout<[0, 0]>>)

// -----

// expected-error @below {{argument 1 has a run-time size that is not the outermost}}
kernel.func @func_c1_inner_size_unknown(%x: tensor<4xf32>)
    -> (%y: tensor<4x?xf32>) over <linear, [4]> {
}

// -----

// expected-error @below {{'kernel.func' op argument 0 is not a tensor}}
kernel.func @func_c1_scalar_argument(%x: f32) -> (%y: tensor<4xf32>) over <linear, [4]> {
}

// -----

// expected-error @below {{'kernel.func' op output 0 is never stored}}
kernel.func @func_c2_output_not_stored(%x: tensor<4xf32>)
    -> (%y: tensor<4xf32>) over <linear, [4]> {
}

// -----

kernel.func @func_c3_tensor_op_in_body(%x: tensor<4xf32>)
    -> (%y: tensor<4xf32>) over <linear, [4]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<4xf32>
  // expected-error @below {{'dlm.neg' op does not belong in a kernel's body}}
  %t = dlm.neg %x : tensor<4xf32>
}

// -----

kernel.func @load_c1_reads_output(%x: tensor<4xf32>) -> (%y: tensor<4xf32>) over <linear, [4]> {
  // expected-error @below {{'kernel.load' op reads what is not an input of the kernel}}
  %a = kernel.load %y affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
}

// -----

kernel.func @load_c2_map_rank(%x: tensor<4xf32>) -> (%y: tensor<4xf32>) over <linear, [4]> {
  // expected-error @below {{map has 1 dims and 2 results; the space has 1 dims, the tensor 1}}
  %a = kernel.load %x affine_map<(d0) -> (d0, 0)> : tensor<4xf32> -> f32
}

// -----

kernel.func @load_c2_map_of_quotients(%x: tensor<8xf32>) -> (%y: tensor<4xf32>) over <linear, [4]> {
  // expected-error @below {{map result 0 is no index: affine_map<(d0) -> (d0 floordiv 2)>}}
  %a = kernel.load %x affine_map<(d0) -> (d0 floordiv 2)> : tensor<8xf32> -> f32
}

// -----

kernel.func @load_c2_symbol_without_value(%x: tensor<4xf32>) -> (%y: tensor<4xf32>)
    over <linear, [4]> {
  // expected-error @below {{map has 1 dims and 1 results; the space has 1 dims, the tensor 1}}
  %a = kernel.load %x affine_map<(d0)[s0] -> (s0)> guarded : tensor<4xf32> -> f32
}

// -----

kernel.func @load_c3_leaves_tensor(%x: tensor<4xf32>) -> (%y: tensor<5xf32>) over <linear, [5]> {
  // expected-error @below {{index 0 can leave 'tensor<4xf32>': affine_map<(d0) -> (d0)}}
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
}

// -----

kernel.func @load_c3_shift_leaves_tensor(%x: tensor<4xf32>) -> (%y: tensor<4xf32>)
    over <linear, [4]> {
  // expected-error @below {{index 0 can leave 'tensor<4xf32>': affine_map<(d0) -> (-d0 + 2)}}
  %a = kernel.load %x affine_map<(d0) -> (-d0 + 2)> : tensor<4xf32> -> f32
}

// -----

kernel.func @load_c3_given_index_without_guard(%x: tensor<4xf32>, %n: tensor<4xi64>)
    -> (%y: tensor<4xf32>) over <linear, [4]> {
  %i = kernel.load %n affine_map<(d0) -> (d0)> : tensor<4xi64> -> i64
  // expected-error @below {{index 0 can leave 'tensor<4xf32>'}}
  %a = kernel.load %x at(%i) affine_map<(d0)[s0] -> (s0)> : tensor<4xf32> -> f32
}

// -----

kernel.func @load_c3_guard_of_an_open_size(%x: tensor<?xf32>) -> (%y: tensor<?xf32>)
    over <linear, [?]> {
  // expected-error @below {{index 0 can leave 'tensor<?xf32>': affine_map<(d0) -> (d0 + 1)}}
  %a = kernel.load %x affine_map<(d0) -> (d0 + 1)> guarded : tensor<?xf32> -> f32
}

// -----

kernel.func @load_c4_byte_as_real(%x: tensor<4xui8>) -> (%y: tensor<4xf32>) over <linear, [4]> {
  // expected-error @below {{'kernel.load' op gives 'f32' from 'tensor<4xui8>'}}
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xui8> -> f32
}

// -----

kernel.func @store_c1_writes_input(%x: tensor<4xf32>) -> (%y: tensor<4xf32>) over <linear, [4]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
  // expected-error @below {{'kernel.store' op writes what is not an output of the kernel}}
  kernel.store %a, %x affine_map<(d0) -> (d0)> : f32 -> tensor<4xf32>
}

// -----

kernel.func @store_c2_leaves_tensor(%x: tensor<4xf32>) -> (%y: tensor<2xf32>) over <linear, [4]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
  // expected-error @below {{index 0 can leave 'tensor<2xf32>': affine_map<(d0) -> (d0)}}
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<2xf32>
}

// -----

kernel.func @store_c2_map_of_sums(%x: tensor<4xf32>) -> (%y: tensor<9xf32>) over <linear, [4]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
  // expected-error @below {{'kernel.store' op map result 0 is neither a dim nor 0}}
  kernel.store %a, %y affine_map<(d0) -> (d0 + 1)> : f32 -> tensor<9xf32>
}

// -----

kernel.func @store_c3_value_varies(%x: tensor<4x3xf32>) -> (%y: tensor<4xf32>) over <row, [4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x3xf32> -> f32
  // expected-error @below {{map does not name dim 1, which the value varies over}}
  kernel.store %a, %y affine_map<(d0, d1) -> (d0)> : f32 -> tensor<4xf32>
}

// -----

kernel.func @store_c4_points_share_element(%x: tensor<3xf32>)
    -> (%y: tensor<3xf32>) over <row, [4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d1)> : tensor<3xf32> -> f32
  // expected-error @below {{map does not name dim 0, so points would share an element}}
  kernel.store %a, %y affine_map<(d0, d1) -> (d1)> : f32 -> tensor<3xf32>
}

// -----

kernel.func @store_c5_real_as_integer(%x: tensor<4xf32>) -> (%y: tensor<4xi32>) over <linear, [4]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<4xf32> -> f32
  // expected-error @below {{'kernel.store' op puts 'f32' into 'tensor<4xi32>'}}
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<4xi32>
}

// -----

kernel.func @store_c6_store_before_reduction(%x: tensor<3x4xf32>) -> (%y: tensor<3x4xf32>)
    over <column, [3, 4]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<3x4xf32> -> f32
  // expected-error @below {{'kernel.store' op map names the reduced dim of a column kernel}}
  kernel.store %a, %y affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<3x4xf32>
}

// -----

kernel.func @iota_c1_dim_past_space(%x: tensor<4xf32>) -> (%y: tensor<4xf32>) over <linear, [4]> {
  // expected-error @below {{'kernel.iota' op dim 1 is not one of the space}}
  %i = kernel.iota 1 : i64
}

// -----

kernel.func @reduce_c1_over_grid(%x: tensor<4x3xf32>) -> (%y: tensor<3xf32>) over <row, [4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x3xf32> -> f32
  // expected-error @below {{'kernel.reduce' op runs over dim 0, which is not the reduced one}}
  %s = kernel.reduce add %a over 0 tree<128, 2048> : f32
}

// -----

kernel.func @reduce_c2_column_tree_in_row(%x: tensor<4x3xf32>)
    -> (%y: tensor<4xf32>) over <row, [4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x3xf32> -> f32
  // expected-error @below {{'kernel.reduce' op has tree <1, 64>; a row kernel has <128, 2048>}}
  %s = kernel.reduce add %a over 1 tree<1, 64> : f32
}

// -----

kernel.func @argmax_c1_in_column(%x: tensor<4x3xf32>) -> (%y: tensor<3xi32>) over <column, [4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x3xf32> -> f32
  // expected-error @below {{'kernel.argmax' op runs over dim 0, which is not that of a row}}
  %s = kernel.argmax %a over 0 : i32
}

// -----

kernel.func @copy(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}
func.func @launch_c1_input_count(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'kernel.launch' op names no kernel with 2 inputs and 1 outputs: @copy}}
  %y = kernel.launch @copy(%x, %x) extent 8 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

kernel.func @copy(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}
func.func @launch_c2_element_count(%x: tensor<8xf32>) -> tensor<9xf32> {
  // expected-error @below {{gives 'tensor<8xf32>' for argument 0 of type 'tensor<?xf32>' at}}
  %y = kernel.launch @copy(%x) extent 9 : (tensor<8xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// -----

kernel.func @copy(%x: tensor<8xf32>) -> (%y: tensor<8xf32>) over <linear, [8]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<8xf32> -> f32
  kernel.store %a, %y affine_map<(d0) -> (d0)> : f32 -> tensor<8xf32>
}
func.func @launch_c3_extent_of_fixed_space(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'kernel.launch' op has extent 4; the kernel's is 8}}
  %y = kernel.launch @copy(%x) extent 4 : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @contract_c1_sizes_differ(%x: tensor<64x784xf32>, %w: tensor<512x784xf32>)
    -> tensor<64x784xf32> {
  // expected-error @below {{'kernel.contract' op contracts sizes 784 and 512}}
  %y = kernel.contract %x, %w : tensor<64x784xf32>, tensor<512x784xf32> -> tensor<64x784xf32>
  return %y : tensor<64x784xf32>
}

// -----

func.func @contract_c2_numbers_differ(%x: tensor<2x4x8xf32>, %w: tensor<3x8x4xf32>)
    -> tensor<2x4x4xf32> {
  // expected-error @below {{multiplies 'tensor<2x4x8xf32>' and 'tensor<3x8x4xf32>' side by side}}
  // expected-error @below {{'kernel.contract' op failed to infer returned types}}
  %y = kernel.contract %x, %w : tensor<2x4x8xf32>, tensor<3x8x4xf32> -> tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}

// -----

kernel.func @scatter_c1_in_a_row(%x: tensor<4x3xf32>, %n: tensor<4xi64>) -> (%y: tensor<4x3xf32>)
    over <row, [4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x3xf32> -> f32
  %i = kernel.load %n affine_map<(d0, d1) -> (d0)> : tensor<4xi64> -> i64
  // expected-error @below {{'kernel.scatter' op needs a scatter kernel, not a row}}
  %s = kernel.scatter %a at %i : f32
}

// -----

kernel.func @scatter_c2_index_over_columns(%x: tensor<4x3xf32>, %n: tensor<3xi64>)
    -> (%y: tensor<7x3xf32>) over <scatter, [1, 7, 4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1, d2, d3) -> (d2, d3)> : tensor<4x3xf32> -> f32
  %i = kernel.load %n affine_map<(d0, d1, d2, d3) -> (d3)> : tensor<3xi64> -> i64
  // expected-error @below {{has a value or an index that varies over n, or an index over j}}
  %s = kernel.scatter %a at %i : f32
}

// -----

kernel.func @scatter_c3_result_is_computed_with(%x: tensor<4x3xf32>, %n: tensor<4xi64>)
    -> (%y: tensor<7x3xf32>) over <scatter, [1, 7, 4, 3]> {
  %a = kernel.load %x affine_map<(d0, d1, d2, d3) -> (d2, d3)> : tensor<4x3xf32> -> f32
  %i = kernel.load %n affine_map<(d0, d1, d2, d3) -> (d2)> : tensor<4xi64> -> i64
  // expected-error @below {{is not the only one, or its result is not only stored}}
  %s = kernel.scatter %a at %i : f32
  %t = arith.negf %s : f32
  kernel.store %t, %y affine_map<(d0, d1, d2, d3) -> (d1, d3)> : f32 -> tensor<7x3xf32>
}
