// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'train.run' op has a region without train.yield (run_c1)}}
train.run @run_c1_region_without_yield rows 1, 1 policy {}
parameters {
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  %x = train.sample_count : tensor<f32>
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @run_c2_name_declared_twice rows 1, 1 policy {}
parameters {
  train.moment "m" = 0.0
  // expected-error @below {{'train.moment' op is declared twice (run_c2)}}
  train.moment "m" = 1.0
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @run_c2_other_op_among_parameters rows 1, 1 policy {}
parameters {
  // expected-error @below {{'train.sample_count' op stands in the parameters of a run (run_c2)}}
  %n = train.sample_count : tensor<f32>
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

// expected-error @below {{'train.run' op yields 'tensor<2xf32>', not an f32 scalar (run_c3)}}
train.run @run_c3_loss_is_no_scalar rows 1, 1 policy {}
parameters {
} loss {
  %l = dlm.constant dense<0.0> : tensor<2xf32>
  train.yield ["loss"] %l : tensor<2xf32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<2xf32>
  train.yield ["loss"] %l : tensor<2xf32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

// expected-error @below {{'train.run' op loss and validation yield different names (run_c3)}}
train.run @run_c3_terms_differ rows 1, 1 policy {}
parameters {
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["other"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @run_c4_unknown_parameter rows 1, 1 policy {}
parameters {
} loss {
  // expected-error @below {{names no declared parameter of type 'tensor<f32>' (run_c4)}}
  %l = train.parameter "w" : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

// expected-error @below {{'train.run' op optimizer yields no flat f32 "target" (run_c5)}}
train.run @run_c5_no_target rows 1, 1 policy {}
parameters {
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  train.yield []
}

// -----

// expected-error @below {{does not yield the moment "m" of type 'tensor<2048xf32>' (run_c5)}}
train.run @run_c5_moment_not_yielded rows 1, 1 policy {}
parameters {
  train.moment "m" = 0.0
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @param_c1_init_of_other_type rows 1, 1 policy {}
parameters {
  // expected-error @below {{init does not yield one value of type 'tensor<2xf32>' (param_c1)}}
  train.param "w" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<3xf32>
    train.yield ["init"] %0 : tensor<3xf32>
  }
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @param_c2_integer_parameter rows 1, 1 policy {}
parameters {
  // expected-error @below {{has type 'tensor<2xi32>', not a static f32 tensor (param_c2)}}
  train.param "w" : tensor<2xi32> init {
    %0 = dlm.constant dense<0> : tensor<2xi32>
    train.yield ["init"] %0 : tensor<2xi32>
  }
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @yield_c1_name_without_value rows 1, 1 policy {}
parameters {
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  // expected-error @below {{'train.yield' op has 1 distinct names and 0 values (yield_c1)}}
  train.yield ["accuracy"]
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

func.func @batch_reduce_c1_batch_axis_kept(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  // expected-error @below {{dims do not increase from 0 within rank 2 (batch_reduce_c1)}}
  %y = train.batch_reduce add %x [1] : tensor<4x2xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @batch_reduce_c2_wrong_shape(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  // expected-error @below {{not the operand's without dims (batch_reduce_c2)}}
  %y = train.batch_reduce add %x [0] : tensor<4x2xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

module @command_c1_body_without_yield {
  // expected-error @below {{has a body without train.yield (command_c1)}}
  train.command "grey" program "command_grey" rows 0 {
    %l = dlm.constant dense<0.0> : tensor<f32>
  }
}

// -----

train.run @run_c4_unknown_buffer rows 1, 1 policy {}
parameters {
} loss {
  // expected-error @below {{names no declared buffer of type 'tensor<f32>' (run_c4)}}
  %b = train.stored "b" : tensor<f32>
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @run_c6_next_of_unknown_buffer rows 1, 1 policy {}
parameters {
} loss {
  %n = dlm.constant dense<0.0> : tensor<f32>
  // expected-error @below {{names no declared buffer of type 'tensor<f32>' (run_c6)}}
  train.next "b" %n : tensor<f32>
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @run_c6_next_given_twice rows 1, 1 policy {}
parameters {
  train.buffer "b" : tensor<f32> init {
    %0 = dlm.constant dense<0.0> : tensor<f32>
    train.yield ["init"] %0 : tensor<f32>
  }
} loss {
  %n = dlm.constant dense<0.0> : tensor<f32>
  train.next "b" %n : tensor<f32>
  // expected-error @below {{'train.next' op gives a second value (run_c6)}}
  train.next "b" %n : tensor<f32>
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @run_c6_next_while_evaluating rows 1, 1 policy {}
parameters {
  train.buffer "b" : tensor<f32> init {
    %0 = dlm.constant dense<0.0> : tensor<f32>
    train.yield ["init"] %0 : tensor<f32>
  }
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  %n = dlm.constant dense<0.0> : tensor<f32>
  // expected-error @below {{'train.next' op stands outside of the loss (run_c6)}}
  train.next "b" %n : tensor<f32>
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @buffer_c1_init_of_another_type rows 1, 1 policy {}
parameters {
  // expected-error @below {{init does not yield one value of type 'tensor<f32>' (buffer_c1)}}
  train.buffer "b" : tensor<f32> init {
    %0 = dlm.constant dense<0> : tensor<i32>
    train.yield ["init"] %0 : tensor<i32>
  }
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

train.run @buffer_c2_element_type rows 1, 1 policy {}
parameters {
  // expected-error @below {{'tensor<i1>', not a static tensor of f32, i32 or i64 (buffer_c2)}}
  train.buffer "b" : tensor<i1> init {
    %0 = dlm.constant dense<false> : tensor<i1>
    train.yield ["init"] %0 : tensor<i1>
  }
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
  %p = train.target : tensor<2048xf32>
  train.yield ["target"] %p : tensor<2048xf32>
}

// -----

func.func @batch_squares_c1_batch_axis_kept(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  // expected-error @below {{dims do not increase from 0 within rank 2 (batch_squares_c1)}}
  %y = train.batch_squares %x [1] : tensor<4x2xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @batch_squares_c2_mask_of_another_shape(%x: tensor<4x2xf32>, %m: tensor<4xi1>)
    -> tensor<2xf32> {
  // expected-error @below {{a mask of another shape than the operand's (batch_squares_c2)}}
  %y = train.batch_squares %x where %m : tensor<4xi1>, [0] : tensor<4x2xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

module @sample_c1_body_without_yield {
  // expected-error @below {{has a body without train.yield (sample_c1)}}
  train.sample "train" {
    %l = dlm.constant dense<0.0> : tensor<f32>
  }
}
