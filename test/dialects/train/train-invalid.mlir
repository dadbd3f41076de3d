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
}

// -----

train.run @run_c2_name_declared_twice rows 1, 1 policy {}
parameters {
  train.param "w" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  // expected-error @below {{'train.param' op is declared twice (run_c2)}}
  train.param "w" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
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
}

// -----

train.run @run_c5_second_rule rows 1, 1 policy {}
parameters {
  train.param "w" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
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
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
  // expected-error @below {{is the second to change "w" (run_c5)}}
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
}

// -----

train.run @run_c5_other_op_in_optimizer rows 1, 1 policy {}
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
  // expected-error @below {{'train.sample_count' op stands in the optimizer of a run (run_c5)}}
  %n = train.sample_count : tensor<f32>
}

// -----

train.run @rule_c1_unknown_parameter rows 1, 1 policy {}
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
  // expected-error @below {{names "w", which is no next parameter (rule_c1)}}
  train.rule ["w"] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
}

// -----

train.run @rule_c1_another_order rows 1, 1 policy {}
parameters {
  train.param "v" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.param "w" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
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
  // expected-error @below {{names "v", which is no next parameter (rule_c1)}}
  train.rule ["w", "v"] moments {
  } update {
    %p = train.target : tensor<4096xf32>
    train.yield ["target"] %p : tensor<4096xf32>
  }
}

// -----

train.run @rule_c1_each_of_two_types rows 1, 1 policy {}
parameters {
  train.param "v" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
  }
  train.param "w" : tensor<3xf32> init {
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
  // expected-error @below {{changes parameters of different types (rule_c1)}}
  train.rule each ["v", "w"] moments {
  } update {
    %p = train.target : tensor<2xf32>
    train.yield ["target"] %p : tensor<2xf32>
  }
}

// -----

train.run @rule_c2_same_moment_twice rows 1, 1 policy {}
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
  train.rule [] moments {
    train.moment "m" : tensor<2048xf32> init {
      %0 = dlm.constant dense<0.0> : tensor<2048xf32>
      train.yield ["value"] %0 : tensor<2048xf32>
    }
    // expected-error @below {{is no moment of its own name (rule_c2)}}
    train.moment "m" : tensor<2048xf32> init {
      %0 = dlm.constant dense<0.0> : tensor<2048xf32>
      train.yield ["value"] %0 : tensor<2048xf32>
    }
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target", "m"] %p, %p : tensor<2048xf32>, tensor<2048xf32>
  }
}

// -----

train.run @rule_c3_update_without_yield rows 1, 1 policy {}
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
  // expected-error @below {{has an update without train.yield (rule_c3)}}
  train.rule [] moments {
  } update {
    %p = train.target : tensor<2048xf32>
  }
}

// -----

train.run @rule_c3_unknown_name rows 1, 1 policy {}
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
  // expected-error @below {{yields "other", which is no moment (rule_c3)}}
  train.rule [] moments {
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target", "other"] %p, %p : tensor<2048xf32>, tensor<2048xf32>
  }
}

// -----

train.run @rule_c3_no_target rows 1, 1 policy {}
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
  // expected-error @below {{yields no "target" of type 'tensor<2048xf32>' (rule_c3)}}
  train.rule [] moments {
  } update {
    train.yield []
  }
}

// -----

train.run @rule_c3_moment_not_yielded rows 1, 1 policy {}
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
  // expected-error @below {{does not yield the moment "m" of type 'tensor<2048xf32>' (rule_c3)}}
  train.rule [] moments {
    train.moment "m" : tensor<2048xf32> init {
      %0 = dlm.constant dense<0.0> : tensor<2048xf32>
      train.yield ["value"] %0 : tensor<2048xf32>
    }
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
}

// -----

train.run @moment_c1_init_of_another_type rows 1, 1 policy {}
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
  train.rule [] moments {
    // expected-error @below {{init does not yield one value of type 'tensor<2048xf32>'}}
    train.moment "m" : tensor<2048xf32> init {
      %0 = dlm.constant dense<0.0> : tensor<3xf32>
      train.yield ["value"] %0 : tensor<3xf32>
    }
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target", "m"] %p, %p : tensor<2048xf32>, tensor<2048xf32>
  }
}

// -----

train.run @moment_c2_element_type rows 1, 1 policy {}
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
  train.rule [] moments {
    // expected-error @below {{not a static tensor of f32, i32 or i64 (moment_c2)}}
    train.moment "m" : tensor<2048xi1> init {
      %0 = dlm.constant dense<false> : tensor<2048xi1>
      train.yield ["value"] %0 : tensor<2048xi1>
    }
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
}

// -----

train.run @moment_c2_not_of_all_parameters rows 1, 1 policy {}
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
  train.rule [] moments {
    // expected-error @below {{has type 'tensor<3xf32>', not 'tensor<2048xf32>' (moment_c2)}}
    train.moment "m" : tensor<3xf32> init {
      %0 = dlm.constant dense<0.0> : tensor<3xf32>
      train.yield ["value"] %0 : tensor<3xf32>
    }
  } update {
    %p = train.target : tensor<2048xf32>
    train.yield ["target"] %p : tensor<2048xf32>
  }
}

// -----

train.run @average_c1_of_another_type rows 1, 1 policy {}
parameters {
  train.param "w" : tensor<3xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<3xf32>
    train.yield ["init"] %0 : tensor<3xf32>
  }
  train.buffer "b" : tensor<2xf32> init {
    %0 = dlm.constant dense<0.0> : tensor<2xf32>
    train.yield ["init"] %0 : tensor<2xf32>
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
  // expected-error @below {{is no buffer of the type of what it averages (average_c1)}}
  train.average "b" of "w" decay 5.000000e-01
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

// -----

// expected-error @below {{has 0 rules, and updates with 1 (run_c7)}}
train.run @run_c7_rules_of_nobody rows 1, 1 policy {}
attributes {updates = [{name = "a", clip_norm = 0.0, rules = 1}]}
parameters {
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["a.loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["a.loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
}

// -----

train.run @run_c6_next_of_no_update rows 1, 1 policy {}
attributes {updates = [{name = "a", clip_norm = 0.0, rules = 0}]}
parameters {
  train.buffer "seen" : tensor<f32> init {
    %zero = dlm.constant dense<0.0> : tensor<f32>
    train.yield ["init"] %zero : tensor<f32>
  }
} loss {
  %l = dlm.constant dense<0.0> : tensor<f32>
  // expected-error @below {{is of no update of the run (run_c6)}}
  train.next "seen" in "b" calls 1 %l : tensor<f32>
  train.yield ["a.loss"] %l : tensor<f32>
} validation {
  %l = dlm.constant dense<0.0> : tensor<f32>
  train.yield ["a.loss"] %l : tensor<f32>
} metrics {
  train.yield []
} optimizer {
}
