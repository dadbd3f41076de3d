// RUN: dlm-opt %s --dlm-place-buffers --split-input-file --verify-diagnostics

// expected-error @below {{argument 0 names no buffer}}
func.func @an_argument_needs_a_name(%a: tensor<4xf32>) -> (tensor<4xf32> {dlm.buffer = "a"}) {
  return %a : tensor<4xf32>
}

// -----

func.func @first(%a: tensor<4xf32> {dlm.buffer = "a"}) -> (tensor<4xf32> {dlm.buffer = "a"}) {
  return %a : tensor<4xf32>
}
// expected-error @below {{buffer 'a' is 'tensor<5xf32>' here and 'tensor<4xf32>'}}
func.func @a_name_has_one_type(%a: tensor<5xf32> {dlm.buffer = "a"})
    -> (tensor<5xf32> {dlm.buffer = "a"}) {
  return %a : tensor<5xf32>
}
