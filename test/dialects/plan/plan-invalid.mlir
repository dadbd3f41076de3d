// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'plan.arena' op has 100 bytes at alignment 64 (arena_c1)}}
plan.arena @arena_c1_size_is_no_multiple_of_the_alignment <persistent> size 100 align 64

// -----

plan.arena @small <persistent> size 64 align 64
// expected-error @below {{'plan.buffer' op ends at 80 of 64 (buffer_c1)}}
plan.buffer @buffer_c1_ends_behind_its_arena : tensor<4xf32> in @small at 64 live 0 to 0 persistent

// -----

// expected-error @below {{'plan.buffer' op needs a static tensor type and an arena (buffer_c1)}}
plan.buffer @buffer_c1_has_no_arena : tensor<4xf32> in @nowhere at 0 live 0 to 0 persistent

// -----

plan.program @launch_c1_kernel_is_missing rows 0 reads [] {
  // expected-error @below {{'plan.launch' op launches 'k', which does not exist (launch_c1)}}
  plan.launch @k items 1 extent 1 []
}

// -----

plan.program @launch_c1_arguments_are_missing rows 0 reads [] {
  // expected-error @below {{'plan.launch' op passes 0 arguments to 'k', which takes 1 (launch_c1)}}
  plan.launch @k items 1 extent 1 []
}
kernel.func @k() -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = arith.constant 1.0 : f32
  kernel.store %0, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

plan.program @contract_c1_sizes_differ rows 0 reads [] {
  // expected-error @below {{needs three arguments of the sizes of batch, m, n and k (contract_c1)}}
  plan.contract 2 x 2 x 2 [#plan.ref<@a at 0 for 16>, #plan.ref<@a at 0 for 16>,
      #plan.ref<@a at 0 for 12>]
}

// -----

plan.program @copy_c1_sizes_differ rows 0 reads [] {
  // expected-error @below {{'plan.copy' op copies 12 bytes to 16 (copy_c1)}}
  plan.copy <@a at 0 for 16> from <@a at 0 for 12>
}

// -----

// expected-error @below {{'plan.function' op has blocks of 0 threads and 0 bytes (function_c1)}}
plan.function @function_c1_has_no_threads block 0 shared 0

// -----

plan.function @f block 32 shared 0
plan.program @stage_c1_has_no_blocks rows 0 reads [] {
  // expected-error @below {{@f has 0 blocks and 0 bytes of scratch (stage_c1)}}
  plan.launch @k items 1 extent 1 [] stages [#plan.stage<@f grid 0 numbers [] scratch 0>]
}

// -----

plan.program @launch_c2_stage_is_no_function rows 0 reads [] {
  // expected-error @below {{has a stage of @k, which is no function (launch_c2)}}
  plan.launch @k items 1 extent 4 [#plan.ref<@a at 0 for 16>]
      stages [#plan.stage<@k grid 1 numbers [] scratch 0>]
}
kernel.func @k() -> (%y: tensor<?xf32>) over <linear, [?]> {
  %0 = arith.constant 1.0 : f32
  kernel.store %0, %y affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
}

// -----

plan.program @contract_c2_stage_is_missing rows 0 reads [] {
  // expected-error @below {{has a stage of @mm, which is no function (contract_c2)}}
  plan.contract 2 x 2 x 2 [#plan.ref<@a at 0 for 16>, #plan.ref<@a at 0 for 16>,
      #plan.ref<@a at 0 for 16>] stages [#plan.stage<@mm grid 1 numbers [2, 2, 2] scratch 0>]
}

// -----

plan.program @loop_c1_has_no_trips rows 0 reads [] {
  // expected-error @below {{has 0 trips, or stands within more than one other (loop_c1)}}
  plan.loop trips 0 {
    plan.copy <@a at 0 for 16> from <@b at 0 for 16>
  }
}

// -----

plan.program @loop_c1_is_the_third_in_another rows 0 reads [] {
  plan.loop trips 2 {
    plan.loop trips 3 {
      // expected-error @below {{'plan.loop' op has 4 trips, or stands within more than one other}}
      plan.loop trips 4 {
        plan.copy <@a at 0 for 16> from <@b at 0 for 16>
      }
    }
  }
}

// -----

plan.program @loop_c2_steps_with_no_loop rows 0 reads [] {
  plan.loop trips 2 {
    // expected-error @below {{steps with more loops than stand around it: #plan.ref<@b at 0 for }}
    plan.copy <@a at 0 for 16 step[16]> from <@b at 0 for 16 step[4, 16]>
  }
}
