// A chain of elementary functions becomes several kernels: the time to compile a kernel grows
// faster than its text.
// RUN: dlm-opt %s --dlm-fuse-kernels | FileCheck %s

// CHECK-LABEL: func.func @grad
// CHECK: kernel.launch
// CHECK: kernel.launch
// CHECK-NOT: kernel.launch
// CHECK: return
func.func @grad(%0: tensor<64xf32> {dlm.buffer = "x"}) -> (tensor<64xf32> {dlm.buffer = "y"})
    attributes {dlm.program = "grad", dlm.rows = 0 : i64} {
  %1 = dlm.sin %0 : tensor<64xf32>
  %2 = dlm.sin %1 : tensor<64xf32>
  %3 = dlm.sin %2 : tensor<64xf32>
  %4 = dlm.sin %3 : tensor<64xf32>
  %5 = dlm.sin %4 : tensor<64xf32>
  %6 = dlm.sin %5 : tensor<64xf32>
  %7 = dlm.sin %6 : tensor<64xf32>
  %8 = dlm.sin %7 : tensor<64xf32>
  %9 = dlm.sin %8 : tensor<64xf32>
  %10 = dlm.sin %9 : tensor<64xf32>
  %11 = dlm.sin %10 : tensor<64xf32>
  %12 = dlm.sin %11 : tensor<64xf32>
  %13 = dlm.sin %12 : tensor<64xf32>
  %14 = dlm.sin %13 : tensor<64xf32>
  %15 = dlm.sin %14 : tensor<64xf32>
  %16 = dlm.sin %15 : tensor<64xf32>
  %17 = dlm.sin %16 : tensor<64xf32>
  %18 = dlm.sin %17 : tensor<64xf32>
  %19 = dlm.sin %18 : tensor<64xf32>
  %20 = dlm.sin %19 : tensor<64xf32>
  %21 = dlm.sin %20 : tensor<64xf32>
  %22 = dlm.sin %21 : tensor<64xf32>
  %23 = dlm.sin %22 : tensor<64xf32>
  %24 = dlm.sin %23 : tensor<64xf32>
  %25 = dlm.sin %24 : tensor<64xf32>
  %26 = dlm.sin %25 : tensor<64xf32>
  %27 = dlm.sin %26 : tensor<64xf32>
  %28 = dlm.sin %27 : tensor<64xf32>
  %29 = dlm.sin %28 : tensor<64xf32>
  %30 = dlm.sin %29 : tensor<64xf32>
  %31 = dlm.sin %30 : tensor<64xf32>
  %32 = dlm.sin %31 : tensor<64xf32>
  %33 = dlm.sin %32 : tensor<64xf32>
  %34 = dlm.sin %33 : tensor<64xf32>
  %35 = dlm.sin %34 : tensor<64xf32>
  %36 = dlm.sin %35 : tensor<64xf32>
  %37 = dlm.sin %36 : tensor<64xf32>
  %38 = dlm.sin %37 : tensor<64xf32>
  %39 = dlm.sin %38 : tensor<64xf32>
  %40 = dlm.sin %39 : tensor<64xf32>
  return %40 : tensor<64xf32>
}
