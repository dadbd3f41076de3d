// RUN: dlm-opt %s --split-input-file --verify-diagnostics

// Loops: one case for each constraint.

func.func @scan_c1_no_trips(%x: tensor<f32>) {
  // expected-error @below {{'dlm.scan' op makes 0 trips (scan_c1)}}
  %0 = dlm.scan trips 0 init(%x : tensor<f32>) over() capture() -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>):
    dlm.yield %s : tensor<f32>
  }
  return
}

// -----

func.func @scan_c2_slices_are_too_few(%x: tensor<f32>, %xs: tensor<4xf32>) {
  // expected-error @below {{'dlm.scan' op goes over 'tensor<4xf32>' in 5 trips (scan_c2)}}
  %0 = dlm.scan trips 5 init(%x : tensor<f32>) over(%xs : tensor<4xf32>) capture()
      -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>, %each: tensor<f32>):
    dlm.yield %each : tensor<f32>
  }
  return
}

// -----

func.func @scan_c2_of_a_scalar(%x: tensor<f32>) {
  // expected-error @below {{'dlm.scan' op goes over 'tensor<f32>' in 5 trips (scan_c2)}}
  %0 = dlm.scan trips 5 init(%x : tensor<f32>) over(%x : tensor<f32>) capture()
      -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>, %each: tensor<f32>):
    dlm.yield %each : tensor<f32>
  }
  return
}

// -----

func.func @scan_c3_no_number(%x: tensor<f32>) {
  // expected-error @below {{step of ('tensor<f32>') for ('tensor<i32>', 'tensor<f32>') (scan_c3)}}
  %0 = dlm.scan trips 5 init(%x : tensor<f32>) over() capture() -> (tensor<f32>) {
  ^bb0(%s: tensor<f32>):
    dlm.yield %s : tensor<f32>
  }
  return
}

// -----

func.func @scan_c4_next_state_is_missing(%x: tensor<f32>) {
  // expected-error @below {{has states of ('tensor<f32>'), and its step yields others (scan_c4)}}
  %0 = dlm.scan trips 5 init(%x : tensor<f32>) over() capture() -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>):
    dlm.yield
  }
  return
}

// -----

func.func @scan_c4_next_state_is_of_another_type(%x: tensor<f32>) {
  // expected-error @below {{has states of ('tensor<f32>'), and its step yields others (scan_c4)}}
  %0 = dlm.scan trips 5 init(%x : tensor<f32>) over() capture() -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>):
    dlm.yield %k : tensor<i32>
  }
  return
}

// -----

func.func @scan_c5_outputs_are_not_stacked(%x: tensor<f32>) {
  // expected-error @below {{a step that makes ('tensor<f32>', 'tensor<5xf32>') (scan_c5)}}
  %0:2 = dlm.scan trips 5 init(%x : tensor<f32>) over() capture() -> (tensor<f32>, tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>):
    dlm.yield %s, %s : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @scan_sees_nothing_around_it(%x: tensor<f32>) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = dlm.scan trips 5 init(%x : tensor<f32>) over() capture() -> (tensor<f32>) {
  ^bb0(%k: tensor<i32>, %s: tensor<f32>):
    // expected-error @below {{using value defined outside the region}}
    %1 = dlm.add %s, %x : tensor<f32>
    dlm.yield %1 : tensor<f32>
  }
  return
}

// -----

func.func @yield_stands_in_a_scan(%x: tensor<f32>) {
  // expected-error @below {{'dlm.yield' op expects parent op 'dlm.scan'}}
  dlm.yield %x : tensor<f32>
}
