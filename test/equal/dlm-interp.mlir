// RUN: dlm-interp %s --entry iota --out %t.safetensors
// RUN: FileCheck %s --check-prefix=HEADER < %t.safetensors
// RUN: dlm-interp %s --entry twice --in %t.safetensors --out %t.twice.safetensors
// RUN: not dlm-interp %s --entry missing --out %t.none 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not dlm-interp %s --entry other --in %t.safetensors --out %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INPUT
// RUN: not dlm-interp %s --entry wrong --in %t.safetensors --out %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE

// Results are written under the name of their buffer.
// HEADER: "indices":{"data_offsets":[0,12],"dtype":"I32","shape":[3]}
func.func @iota() -> (tensor<3xi32> {dlm.buffer = "indices"}) {
  %0 = dlm.iota dim 0 : tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @twice(%x: tensor<3xi32> {dlm.buffer = "indices"}) -> tensor<3xi32> {
  %0 = dlm.add %x, %x : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ENTRY: error: {{.*}}dlm-interp.mlir has no function @missing

// INPUT: error: {{.*}}.safetensors holds no tensor `arg0`
func.func @other(%x: tensor<3xi32>) { return }

// TYPE: error: `indices` is i32[3], @wrong takes i32[4]
func.func @wrong(%x: tensor<4xi32> {dlm.buffer = "indices"}) { return }
