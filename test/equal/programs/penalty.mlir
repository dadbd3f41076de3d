// A penalty of the slope of a network at each sample, whose gradient is made of a gradient: the
// program `grad` of a run in the language, pinned.

func.func @grad(%arg0: tensor<6x5x5xui8> {dlm.buffer = "batch.image"},
    %arg1: tensor<8192xf32> {dlm.buffer = "params"},
    %arg2: tensor<f32> {dlm.buffer = "batch.size"}, %arg3: tensor<f32> {dlm.buffer = "loss.loss"},
    %arg4: tensor<8192xf32> {dlm.buffer = "grads"}) -> (tensor<f32> {dlm.buffer = "loss.loss"},
    tensor<8192xf32> {dlm.buffer = "grads"}) attributes {dlm.program = "grad", dlm.rows = 6 : i64} {
  %0 = dlm.constant dense<9.99999997E-7> : tensor<6xf32>
  %1 = dlm.constant dense<1.000000e+00> : tensor<6x1xf32>
  %2 = dlm.constant dense<1.000000e+00> : tensor<6xf32>
  %3 = dlm.constant dense<2.550000e+02> : tensor<6x5x5xf32>
  %4 = dlm.constant dense<5.000000e-01> : tensor<6xf32>
  %5 = dlm.constant dense<1.000000e+00> : tensor<6x7xf32>
  %6 = dlm.constant dense<1.000000e+00> : tensor<f32>
  %7 = dlm.cast %arg0 : tensor<6x5x5xui8> -> tensor<6x5x5xf32>
  %8 = dlm.div %7, %3 : tensor<6x5x5xf32>
  %9 = dlm.reshape %8 : tensor<6x5x5xf32> -> tensor<6x25xf32>
  %10 = dlm.segment %arg1 offset 0 : tensor<8192xf32> -> tensor<25x7xf32>
  %11 = dlm.matmul %9, %10 {chain = #dlm.chain<splits = 1>} : tensor<6x25xf32>, tensor<25x7xf32>
      -> tensor<6x7xf32>
  %12 = dlm.segment %arg1 offset 2048 : tensor<8192xf32> -> tensor<7xf32>
  %13 = dlm.broadcast %12 dims [1] : tensor<7xf32> -> tensor<6x7xf32>
  %14 = dlm.add %11, %13 : tensor<6x7xf32>
  %15 = dlm.tanh %14 : tensor<6x7xf32>
  %16 = dlm.segment %arg1 offset 4096 : tensor<8192xf32> -> tensor<7x1xf32>
  %17 = dlm.matmul %1, %16 transposeRhs {chain = #dlm.chain<splits = 1>} : tensor<6x1xf32>,
      tensor<7x1xf32> -> tensor<6x7xf32>
  %18 = dlm.mul %15, %15 : tensor<6x7xf32>
  %19 = dlm.sub %5, %18 : tensor<6x7xf32>
  %20 = dlm.mul %17, %19 : tensor<6x7xf32>
  %21 = dlm.matmul %20, %10 transposeRhs {chain = #dlm.chain<splits = 1>} : tensor<6x7xf32>,
      tensor<25x7xf32> -> tensor<6x25xf32>
  %22 = dlm.mul %21, %21 : tensor<6x25xf32>
  %23 = dlm.reduce  add %22 dims [1] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<6x25xf32> -> tensor<6xf32>
  %24 = dlm.add %23, %0 : tensor<6xf32>
  %25 = dlm.sqrt %24 : tensor<6xf32>
  %26 = dlm.sub %25, %2 : tensor<6xf32>
  %27 = dlm.mul %26, %26 : tensor<6xf32>
  %28 = dlm.reduce  add %27 dims [0] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<6xf32> -> tensor<f32>
  %29 = dlm.div %28, %arg2 : tensor<f32>
  %30 = dlm.div %6, %arg2 : tensor<f32>
  %31 = dlm.broadcast %30 dims [] : tensor<f32> -> tensor<6xf32>
  %32 = dlm.mul %31, %26 : tensor<6xf32>
  %33 = dlm.add %32, %32 : tensor<6xf32>
  %34 = dlm.mul %33, %4 : tensor<6xf32>
  %35 = dlm.div %34, %25 : tensor<6xf32>
  %36 = dlm.broadcast %35 dims [0] : tensor<6xf32> -> tensor<6x25xf32>
  %37 = dlm.mul %36, %21 : tensor<6x25xf32>
  %38 = dlm.add %37, %37 : tensor<6x25xf32>
  %39 = dlm.matmul %38, %10 {chain = #dlm.chain<splits = 1>} : tensor<6x25xf32>,
      tensor<25x7xf32> -> tensor<6x7xf32>
  %40 = dlm.matmul %38, %20 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<6x25xf32>,
      tensor<6x7xf32> -> tensor<25x7xf32>
  %41 = dlm.mul %39, %19 : tensor<6x7xf32>
  %42 = dlm.mul %39, %17 : tensor<6x7xf32>
  %43 = dlm.neg %42 : tensor<6x7xf32>
  %44 = dlm.mul %43, %15 : tensor<6x7xf32>
  %45 = dlm.add %44, %44 : tensor<6x7xf32>
  %46 = dlm.matmul %41, %1 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<6x7xf32>,
      tensor<6x1xf32> -> tensor<7x1xf32>
  %47 = dlm.mul %45, %19 : tensor<6x7xf32>
  %48 = dlm.reduce  add %47 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<6x7xf32>
      -> tensor<7xf32>
  %49 = dlm.matmul %9, %47 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<6x25xf32>,
      tensor<6x7xf32> -> tensor<25x7xf32>
  %50 = dlm.add %40, %49 : tensor<25x7xf32>
  %51 = dlm.add %arg3, %29 : tensor<f32>
  %52 = dlm.segment %arg4 offset 0 : tensor<8192xf32> -> tensor<25x7xf32>
  %53 = dlm.add %52, %50 : tensor<25x7xf32>
  %54 = dlm.segment %arg4 offset 2048 : tensor<8192xf32> -> tensor<7xf32>
  %55 = dlm.add %54, %48 : tensor<7xf32>
  %56 = dlm.segment %arg4 offset 4096 : tensor<8192xf32> -> tensor<7x1xf32>
  %57 = dlm.add %56, %46 : tensor<7x1xf32>
  %58 = dlm.pack %53, %55, %57 offsets [0, 2048, 4096] : tensor<25x7xf32>, tensor<7xf32>,
      tensor<7x1xf32> -> tensor<8192xf32>
  return %51, %58 : tensor<f32>, tensor<8192xf32>
}
