// Two updates in a step: one of repetitions that are clipped, whose loss calls a model twice, and
// one that counts; what both give a buffer is averaged at the end. Programs of a run in the
// language, pinned.

func.func @grad_first(%arg0: tensor<3x5x5xui8> {dlm.buffer = "batch.image"},
    %arg1: tensor<4096xf32> {dlm.buffer = "params.2"},
    %arg2: tensor<5xf32> {dlm.buffer = "buffer.maker.level"},
    %arg3: tensor<f32> {dlm.buffer = "batch.size"},
    %arg4: tensor<4096xf32> {dlm.buffer = "params"},
    %arg5: tensor<f32> {dlm.buffer = "loss.first.made"},
    %arg6: tensor<f32> {dlm.buffer = "loss.first.size"},
    %arg7: tensor<5xf32> {dlm.buffer = "next.maker.level"},
    %arg8: tensor<4096xf32> {dlm.buffer = "grads"})
    -> (tensor<f32> {dlm.buffer = "loss.first.made"},
    tensor<f32> {dlm.buffer = "loss.first.size"}, tensor<5xf32> {dlm.buffer = "next.maker.level"},
    tensor<4096xf32> {dlm.buffer = "grads"}) attributes {dlm.program = "grad_first",
    dlm.rows = 3 : i64} {
  %0 = dlm.constant dense<2.000000e+00> : tensor<3x25xf32>
  %1 = dlm.constant dense<2.000000e+00> : tensor<5xf32>
  %2 = dlm.constant dense<2.550000e+02> : tensor<3x5x5xf32>
  %3 = dlm.constant dense<1.000000e+00> : tensor<f32>
  %4 = dlm.constant dense<0.00999999977> : tensor<f32>
  %5 = dlm.constant dense<3.000000e+00> : tensor<f32>
  %6 = dlm.cast %arg0 : tensor<3x5x5xui8> -> tensor<3x5x5xf32>
  %7 = dlm.div %6, %2 : tensor<3x5x5xf32>
  %8 = dlm.reshape %7 : tensor<3x5x5xf32> -> tensor<3x25xf32>
  %9 = dlm.segment %arg1 offset 0 : tensor<4096xf32> -> tensor<25x5xf32>
  %10 = dlm.matmul %8, %9 {chain = #dlm.chain<splits = 1>} : tensor<3x25xf32>, tensor<25x5xf32>
      -> tensor<3x5xf32>
  %11 = dlm.segment %arg1 offset 2048 : tensor<4096xf32> -> tensor<5xf32>
  %12 = dlm.broadcast %11 dims [1] : tensor<5xf32> -> tensor<3x5xf32>
  %13 = dlm.add %10, %12 : tensor<3x5xf32>
  %14 = dlm.div %arg2, %1 : tensor<5xf32>
  %15 = dlm.reduce  add %13 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<3x5xf32>
      -> tensor<5xf32>
  %16 = dlm.broadcast %arg3 dims [] : tensor<f32> -> tensor<5xf32>
  %17 = dlm.div %15, %16 : tensor<5xf32>
  %18 = dlm.div %5, %arg3 : tensor<f32>
  %19 = dlm.broadcast %18 dims [] : tensor<f32> -> tensor<5xf32>
  %20 = dlm.mul %14, %19 : tensor<5xf32>
  %21 = dlm.add %20, %17 : tensor<5xf32>
  %22 = dlm.broadcast %arg2 dims [1] : tensor<5xf32> -> tensor<3x5xf32>
  %23 = dlm.sub %13, %22 : tensor<3x5xf32>
  %24 = dlm.tanh %23 : tensor<3x5xf32>
  %25 = dlm.segment %arg4 offset 0 : tensor<4096xf32> -> tensor<5x1xf32>
  %26 = dlm.matmul %24, %25 {chain = #dlm.chain<splits = 1>} : tensor<3x5xf32>, tensor<5x1xf32>
      -> tensor<3x1xf32>
  %27 = dlm.segment %arg4 offset 2048 : tensor<4096xf32> -> tensor<1xf32>
  %28 = dlm.broadcast %27 dims [1] : tensor<1xf32> -> tensor<3x1xf32>
  %29 = dlm.add %26, %28 : tensor<3x1xf32>
  %30 = dlm.reduce  add %29 dims [0, 1] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<3x1xf32> -> tensor<f32>
  %31 = dlm.div %30, %arg3 : tensor<f32>
  %32 = dlm.div %8, %0 : tensor<3x25xf32>
  %33 = dlm.matmul %32, %9 {chain = #dlm.chain<splits = 1>} : tensor<3x25xf32>, tensor<25x5xf32>
      -> tensor<3x5xf32>
  %34 = dlm.add %33, %12 : tensor<3x5xf32>
  %35 = dlm.reduce  add %34 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<3x5xf32>
      -> tensor<5xf32>
  %36 = dlm.div %35, %16 : tensor<5xf32>
  %37 = dlm.add %20, %36 : tensor<5xf32>
  %38 = dlm.sub %34, %22 : tensor<3x5xf32>
  %39 = dlm.tanh %38 : tensor<3x5xf32>
  %40 = dlm.matmul %39, %25 {chain = #dlm.chain<splits = 1>} : tensor<3x5xf32>, tensor<5x1xf32>
      -> tensor<3x1xf32>
  %41 = dlm.add %40, %28 : tensor<3x1xf32>
  %42 = dlm.mul %41, %41 : tensor<3x1xf32>
  %43 = dlm.reduce  add %42 dims [0, 1] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<3x1xf32> -> tensor<f32>
  %44 = dlm.div %43, %arg3 : tensor<f32>
  %45 = dlm.mul %4, %44 : tensor<f32>
  %46 = dlm.add %21, %37 : tensor<5xf32>
  %47 = dlm.div %4, %arg3 : tensor<f32>
  %48 = dlm.broadcast %47 dims [] : tensor<f32> -> tensor<3x1xf32>
  %49 = dlm.mul %48, %41 : tensor<3x1xf32>
  %50 = dlm.add %49, %49 : tensor<3x1xf32>
  %51 = dlm.matmul %39, %50 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<3x5xf32>,
      tensor<3x1xf32> -> tensor<5x1xf32>
  %52 = dlm.div %3, %arg3 : tensor<f32>
  %53 = dlm.broadcast %52 dims [] : tensor<f32> -> tensor<3x1xf32>
  %54 = dlm.add %50, %53 : tensor<3x1xf32>
  %55 = dlm.reduce  add %54 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<3x1xf32>
      -> tensor<1xf32>
  %56 = dlm.matmul %24, %53 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<3x5xf32>,
      tensor<3x1xf32> -> tensor<5x1xf32>
  %57 = dlm.add %51, %56 : tensor<5x1xf32>
  %58 = dlm.add %arg5, %31 : tensor<f32>
  %59 = dlm.add %arg6, %45 : tensor<f32>
  %60 = dlm.add %arg7, %46 : tensor<5xf32>
  %61 = dlm.segment %arg8 offset 0 : tensor<4096xf32> -> tensor<5x1xf32>
  %62 = dlm.add %61, %57 : tensor<5x1xf32>
  %63 = dlm.segment %arg8 offset 2048 : tensor<4096xf32> -> tensor<1xf32>
  %64 = dlm.add %63, %55 : tensor<1xf32>
  %65 = dlm.pack %62, %64 offsets [0, 2048] : tensor<5x1xf32>, tensor<1xf32> -> tensor<4096xf32>
  return %58, %59, %60, %65 : tensor<f32>, tensor<f32>, tensor<5xf32>, tensor<4096xf32>
}

func.func @update_first(%arg0: tensor<4096xf32> {dlm.buffer = "grads"},
    %arg1: tensor<4096xf32> {dlm.buffer = "params"},
    %arg2: tensor<4096xf32> {dlm.buffer = "opt.velocity"},
    %arg3: tensor<5xf32> {dlm.buffer = "next.maker.level"},
    %arg4: tensor<5xf32> {dlm.buffer = "sum.maker.level"},
    %arg5: tensor<f32> {dlm.buffer = "count.maker.level"},
    %arg6: tensor<f32> {dlm.buffer = "loss.first.made"},
    %arg7: tensor<f32> {dlm.buffer = "loss.first.size"},
    %arg8: tensor<i32> {dlm.buffer = "state.sound"},
    %arg9: tensor<i64> {dlm.buffer = "state.updates"})
    -> (tensor<4096xf32> {dlm.buffer = "params"}, tensor<4096xf32> {dlm.buffer = "opt.velocity"},
    tensor<f32> {dlm.buffer = "report.first.lr"}, tensor<5xf32> {dlm.buffer = "sum.maker.level"},
    tensor<f32> {dlm.buffer = "count.maker.level"}, tensor<i32> {dlm.buffer = "state.sound"},
    tensor<i64> {dlm.buffer = "state.updates"}, tensor<f32> {dlm.buffer = "report.first.made"},
    tensor<f32> {dlm.buffer = "report.first.size"},
    tensor<f32> {dlm.buffer = "report.first.grad_norm"}, tensor<4096xf32> {dlm.buffer = "grads"},
    tensor<f32> {dlm.buffer = "loss.first.made"}, tensor<f32> {dlm.buffer = "loss.first.size"},
    tensor<5xf32> {dlm.buffer = "next.maker.level"}) attributes {dlm.program = "update_first",
    dlm.rows = 0 : i64} {
  %0 = dlm.constant dense<1.000000e-01> : tensor<4096xf32>
  %1 = dlm.constant dense<1.000000e-30> : tensor<4096xf32>
  %2 = dlm.constant dense<0.000000e+00> : tensor<4096xf32>
  %3 = dlm.constant dense<-0.000000e+00> : tensor<5xf32>
  %4 = dlm.constant dense<-0.000000e+00> : tensor<f32>
  %5 = dlm.constant dense<-0.000000e+00> : tensor<4096xf32>
  %6 = dlm.constant dense<1> : tensor<i64>
  %7 = dlm.constant dense<0> : tensor<i32>
  %8 = dlm.constant dense<2.000000e+00> : tensor<f32>
  %9 = dlm.constant dense<1.000000e-01> : tensor<f32>
  %10 = dlm.constant dense<0.000000e+00> : tensor<f32>
  %11 = dlm.constant dense<1.000000e+00> : tensor<f32>
  %12 = dlm.constant dense<5.000000e-01> : tensor<f32>
  %13 = dlm.mul %arg0, %arg0 : tensor<4096xf32>
  %14 = dlm.reduce  add %13 dims [0] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<4096xf32> -> tensor<f32>
  %15 = dlm.sqrt %14 : tensor<f32>
  %16 = dlm.compare  gt %15, %12 : tensor<f32>
  %17 = dlm.div %12, %15 : tensor<f32>
  %18 = dlm.select %16, %17, %11 : tensor<f32>
  %19 = dlm.broadcast %18 dims [] : tensor<f32> -> tensor<4096xf32>
  %20 = dlm.mul %arg0, %19 : tensor<4096xf32>
  %21 = dlm.mul %2, %arg1 : tensor<4096xf32>
  %22 = dlm.add %20, %21 : tensor<4096xf32>
  %23 = dlm.mul %2, %arg2 : tensor<4096xf32>
  %24 = dlm.add %23, %22 : tensor<4096xf32>
  %25 = dlm.abs %24 : tensor<4096xf32>
  %26 = dlm.compare  lt %25, %1 : tensor<4096xf32>
  %27 = dlm.select %26, %2, %24 : tensor<4096xf32>
  %28 = dlm.mul %0, %27 : tensor<4096xf32>
  %29 = dlm.sub %arg1, %28 : tensor<4096xf32>
  %30 = dlm.add %arg4, %arg3 : tensor<5xf32>
  %31 = dlm.add %arg5, %8 : tensor<f32>
  %32 = dlm.sub %15, %15 : tensor<f32>
  %33 = dlm.compare  eq %32, %10 : tensor<f32>
  %34 = dlm.sub %arg6, %arg6 : tensor<f32>
  %35 = dlm.compare  eq %34, %10 : tensor<f32>
  %36 = dlm.and %33, %35 : tensor<i1>
  %37 = dlm.sub %arg7, %arg7 : tensor<f32>
  %38 = dlm.compare  eq %37, %10 : tensor<f32>
  %39 = dlm.and %36, %38 : tensor<i1>
  %40 = dlm.broadcast %39 dims [] : tensor<i1> -> tensor<4096xi1>
  %41 = dlm.select %40, %29, %arg1 : tensor<4096xf32>
  %42 = dlm.select %40, %27, %arg2 : tensor<4096xf32>
  %43 = dlm.broadcast %39 dims [] : tensor<i1> -> tensor<5xi1>
  %44 = dlm.select %43, %30, %arg4 : tensor<5xf32>
  %45 = dlm.select %39, %31, %arg5 : tensor<f32>
  %46 = dlm.select %39, %arg8, %7 : tensor<i32>
  %47 = dlm.add %arg9, %6 : tensor<i64>
  return %41, %42, %9, %44, %45, %46, %47, %arg6, %arg7, %15, %5, %4, %4, %3 : tensor<4096xf32>,
      tensor<4096xf32>, tensor<f32>, tensor<5xf32>, tensor<f32>, tensor<i32>, tensor<i64>,
      tensor<f32>, tensor<f32>, tensor<f32>, tensor<4096xf32>, tensor<f32>, tensor<f32>,
      tensor<5xf32>
}

func.func @grad_second(%arg0: tensor<3x5x5xui8> {dlm.buffer = "batch.image"},
    %arg1: tensor<4096xf32> {dlm.buffer = "params.2"},
    %arg2: tensor<5xf32> {dlm.buffer = "buffer.maker.level"},
    %arg3: tensor<f32> {dlm.buffer = "batch.size"},
    %arg4: tensor<4096xf32> {dlm.buffer = "params"},
    %arg5: tensor<i32> {dlm.buffer = "buffer.maker.made"},
    %arg6: tensor<f32> {dlm.buffer = "loss.second.loss"},
    %arg7: tensor<5xf32> {dlm.buffer = "next.maker.level"},
    %arg8: tensor<4096xf32> {dlm.buffer = "grads.2"})
    -> (tensor<f32> {dlm.buffer = "loss.second.loss"},
    tensor<i32> {dlm.buffer = "last.maker.made"}, tensor<5xf32> {dlm.buffer = "next.maker.level"},
    tensor<4096xf32> {dlm.buffer = "grads.2"}) attributes {dlm.program = "grad_second",
    dlm.rows = 3 : i64} {
  %0 = dlm.constant dense<2.000000e+00> : tensor<5xf32>
  %1 = dlm.constant dense<2.550000e+02> : tensor<3x5x5xf32>
  %2 = dlm.constant dense<1.000000e+00> : tensor<3x5xf32>
  %3 = dlm.constant dense<1.000000e+00> : tensor<f32>
  %4 = dlm.constant dense<3.000000e+00> : tensor<f32>
  %5 = dlm.constant dense<1> : tensor<i32>
  %6 = dlm.segment %arg1 offset 0 : tensor<4096xf32> -> tensor<25x5xf32>
  %7 = dlm.segment %arg1 offset 2048 : tensor<4096xf32> -> tensor<5xf32>
  %8 = dlm.segment %arg4 offset 0 : tensor<4096xf32> -> tensor<5x1xf32>
  %9 = dlm.segment %arg4 offset 2048 : tensor<4096xf32> -> tensor<1xf32>
  %10 = dlm.cast %arg0 : tensor<3x5x5xui8> -> tensor<3x5x5xf32>
  %11 = dlm.div %10, %1 : tensor<3x5x5xf32>
  %12 = dlm.reshape %11 : tensor<3x5x5xf32> -> tensor<3x25xf32>
  %13 = dlm.add %arg5, %5 : tensor<i32>
  %14 = dlm.matmul %12, %6 {chain = #dlm.chain<splits = 1>} : tensor<3x25xf32>, tensor<25x5xf32>
      -> tensor<3x5xf32>
  %15 = dlm.broadcast %7 dims [1] : tensor<5xf32> -> tensor<3x5xf32>
  %16 = dlm.add %14, %15 : tensor<3x5xf32>
  %17 = dlm.div %arg2, %0 : tensor<5xf32>
  %18 = dlm.reduce  add %16 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<3x5xf32>
      -> tensor<5xf32>
  %19 = dlm.broadcast %arg3 dims [] : tensor<f32> -> tensor<5xf32>
  %20 = dlm.div %18, %19 : tensor<5xf32>
  %21 = dlm.div %4, %arg3 : tensor<f32>
  %22 = dlm.broadcast %21 dims [] : tensor<f32> -> tensor<5xf32>
  %23 = dlm.mul %17, %22 : tensor<5xf32>
  %24 = dlm.add %23, %20 : tensor<5xf32>
  %25 = dlm.broadcast %arg2 dims [1] : tensor<5xf32> -> tensor<3x5xf32>
  %26 = dlm.sub %16, %25 : tensor<3x5xf32>
  %27 = dlm.tanh %26 : tensor<3x5xf32>
  %28 = dlm.matmul %27, %8 {chain = #dlm.chain<splits = 1>} : tensor<3x5xf32>, tensor<5x1xf32>
      -> tensor<3x1xf32>
  %29 = dlm.broadcast %9 dims [1] : tensor<1xf32> -> tensor<3x1xf32>
  %30 = dlm.add %28, %29 : tensor<3x1xf32>
  %31 = dlm.reduce  add %30 dims [0, 1] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<3x1xf32> -> tensor<f32>
  %32 = dlm.div %31, %arg3 : tensor<f32>
  %33 = dlm.neg %32 : tensor<f32>
  %34 = dlm.neg %3 : tensor<f32>
  %35 = dlm.div %34, %arg3 : tensor<f32>
  %36 = dlm.broadcast %35 dims [] : tensor<f32> -> tensor<3x1xf32>
  %37 = dlm.matmul %36, %8 transposeRhs {chain = #dlm.chain<splits = 1>} : tensor<3x1xf32>,
      tensor<5x1xf32> -> tensor<3x5xf32>
  %38 = dlm.mul %27, %27 : tensor<3x5xf32>
  %39 = dlm.sub %2, %38 : tensor<3x5xf32>
  %40 = dlm.mul %37, %39 : tensor<3x5xf32>
  %41 = dlm.reduce  add %40 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<3x5xf32>
      -> tensor<5xf32>
  %42 = dlm.matmul %12, %40 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<3x25xf32>,
      tensor<3x5xf32> -> tensor<25x5xf32>
  %43 = dlm.add %arg6, %33 : tensor<f32>
  %44 = dlm.add %arg7, %24 : tensor<5xf32>
  %45 = dlm.segment %arg8 offset 0 : tensor<4096xf32> -> tensor<25x5xf32>
  %46 = dlm.add %45, %42 : tensor<25x5xf32>
  %47 = dlm.segment %arg8 offset 2048 : tensor<4096xf32> -> tensor<5xf32>
  %48 = dlm.add %47, %41 : tensor<5xf32>
  %49 = dlm.pack %46, %48 offsets [0, 2048] : tensor<25x5xf32>, tensor<5xf32> -> tensor<4096xf32>
  return %43, %13, %44, %49 : tensor<f32>, tensor<i32>, tensor<5xf32>, tensor<4096xf32>
}

func.func @update_second(%arg0: tensor<4096xf32> {dlm.buffer = "params.2"},
    %arg1: tensor<4096xf32> {dlm.buffer = "grads.2"},
    %arg2: tensor<4096xf32> {dlm.buffer = "opt.2.velocity"},
    %arg3: tensor<i32> {dlm.buffer = "last.maker.made"},
    %arg4: tensor<i32> {dlm.buffer = "sum.maker.made"},
    %arg5: tensor<f32> {dlm.buffer = "count.maker.made"},
    %arg6: tensor<5xf32> {dlm.buffer = "next.maker.level"},
    %arg7: tensor<5xf32> {dlm.buffer = "sum.maker.level"},
    %arg8: tensor<f32> {dlm.buffer = "count.maker.level"},
    %arg9: tensor<f32> {dlm.buffer = "loss.second.loss"},
    %arg10: tensor<i32> {dlm.buffer = "state.sound"},
    %arg11: tensor<i64> {dlm.buffer = "state.updates"})
    -> (tensor<4096xf32> {dlm.buffer = "params.2"},
    tensor<4096xf32> {dlm.buffer = "opt.2.velocity"},
    tensor<f32> {dlm.buffer = "report.second.lr"}, tensor<i32> {dlm.buffer = "sum.maker.made"},
    tensor<f32> {dlm.buffer = "count.maker.made"}, tensor<5xf32> {dlm.buffer = "sum.maker.level"},
    tensor<f32> {dlm.buffer = "count.maker.level"}, tensor<i32> {dlm.buffer = "state.sound"},
    tensor<i64> {dlm.buffer = "state.updates"}, tensor<f32> {dlm.buffer = "report.second.loss"},
    tensor<f32> {dlm.buffer = "report.second.grad_norm"},
    tensor<4096xf32> {dlm.buffer = "grads.2"}, tensor<f32> {dlm.buffer = "loss.second.loss"},
    tensor<5xf32> {dlm.buffer = "next.maker.level"}) attributes {dlm.program = "update_second",
    dlm.rows = 0 : i64} {
  %0 = dlm.constant dense<1.000000e-01> : tensor<4096xf32>
  %1 = dlm.constant dense<1.000000e-30> : tensor<4096xf32>
  %2 = dlm.constant dense<-0.000000e+00> : tensor<5xf32>
  %3 = dlm.constant dense<-0.000000e+00> : tensor<f32>
  %4 = dlm.constant dense<-0.000000e+00> : tensor<4096xf32>
  %5 = dlm.constant dense<1> : tensor<i64>
  %6 = dlm.constant dense<0> : tensor<i32>
  %7 = dlm.constant dense<1.000000e+00> : tensor<f32>
  %8 = dlm.constant dense<1.000000e-01> : tensor<f32>
  %9 = dlm.constant dense<0.000000e+00> : tensor<f32>
  %10 = dlm.constant dense<0.000000e+00> : tensor<4096xf32>
  %11 = dlm.mul %10, %arg0 : tensor<4096xf32>
  %12 = dlm.add %arg1, %11 : tensor<4096xf32>
  %13 = dlm.mul %10, %arg2 : tensor<4096xf32>
  %14 = dlm.add %13, %12 : tensor<4096xf32>
  %15 = dlm.abs %14 : tensor<4096xf32>
  %16 = dlm.compare  lt %15, %1 : tensor<4096xf32>
  %17 = dlm.select %16, %10, %14 : tensor<4096xf32>
  %18 = dlm.mul %0, %17 : tensor<4096xf32>
  %19 = dlm.sub %arg0, %18 : tensor<4096xf32>
  %20 = dlm.add %arg4, %arg3 : tensor<i32>
  %21 = dlm.add %arg5, %7 : tensor<f32>
  %22 = dlm.add %arg7, %arg6 : tensor<5xf32>
  %23 = dlm.add %arg8, %7 : tensor<f32>
  %24 = dlm.mul %arg1, %arg1 : tensor<4096xf32>
  %25 = dlm.reduce  add %24 dims [0] {tree = #dlm.tree<lanes = 128,
      chunk = 2048>} : tensor<4096xf32> -> tensor<f32>
  %26 = dlm.sqrt %25 : tensor<f32>
  %27 = dlm.sub %26, %26 : tensor<f32>
  %28 = dlm.compare  eq %27, %9 : tensor<f32>
  %29 = dlm.sub %arg9, %arg9 : tensor<f32>
  %30 = dlm.compare  eq %29, %9 : tensor<f32>
  %31 = dlm.and %28, %30 : tensor<i1>
  %32 = dlm.broadcast %31 dims [] : tensor<i1> -> tensor<4096xi1>
  %33 = dlm.select %32, %19, %arg0 : tensor<4096xf32>
  %34 = dlm.select %32, %17, %arg2 : tensor<4096xf32>
  %35 = dlm.select %31, %20, %arg4 : tensor<i32>
  %36 = dlm.select %31, %21, %arg5 : tensor<f32>
  %37 = dlm.broadcast %31 dims [] : tensor<i1> -> tensor<5xi1>
  %38 = dlm.select %37, %22, %arg7 : tensor<5xf32>
  %39 = dlm.select %31, %23, %arg8 : tensor<f32>
  %40 = dlm.select %31, %arg10, %6 : tensor<i32>
  %41 = dlm.add %arg11, %5 : tensor<i64>
  return %33, %34, %8, %35, %36, %38, %39, %40, %41, %arg9, %26, %4, %3, %2 : tensor<4096xf32>,
      tensor<4096xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<f32>,
      tensor<i32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<4096xf32>, tensor<f32>,
      tensor<5xf32>
}

func.func @update(%arg0: tensor<5xf32> {dlm.buffer = "buffer.maker.level"},
    %arg1: tensor<5xf32> {dlm.buffer = "sum.maker.level"},
    %arg2: tensor<f32> {dlm.buffer = "count.maker.level"},
    %arg3: tensor<i32> {dlm.buffer = "buffer.maker.made"},
    %arg4: tensor<i32> {dlm.buffer = "sum.maker.made"},
    %arg5: tensor<f32> {dlm.buffer = "count.maker.made"},
    %arg6: tensor<i32> {dlm.buffer = "state.sound"},
    %arg7: tensor<i64> {dlm.buffer = "state.attempt"},
    %arg8: tensor<i64> {dlm.buffer = "state.step"},
    %arg9: tensor<i64> {dlm.buffer = "state.skipped"},
    %arg10: tensor<f32> {dlm.buffer = "report.first.made"},
    %arg11: tensor<f32> {dlm.buffer = "report.first.size"},
    %arg12: tensor<f32> {dlm.buffer = "report.second.loss"})
    -> (tensor<5xf32> {dlm.buffer = "buffer.maker.level"},
    tensor<i32> {dlm.buffer = "buffer.maker.made"}, tensor<i64> {dlm.buffer = "state.attempt"},
    tensor<i64> {dlm.buffer = "state.step"}, tensor<i64> {dlm.buffer = "state.skipped"},
    tensor<i32> {dlm.buffer = "state.ok"}, tensor<i32> {dlm.buffer = "state.sound"},
    tensor<f32> {dlm.buffer = "report.loss"}, tensor<5xf32> {dlm.buffer = "sum.maker.level"},
    tensor<f32> {dlm.buffer = "count.maker.level"}, tensor<i32> {dlm.buffer = "sum.maker.made"},
    tensor<f32> {dlm.buffer = "count.maker.made"}) attributes {dlm.program = "update",
    dlm.rows = 0 : i64} {
  %0 = dlm.constant dense<-0.000000e+00> : tensor<5xf32>
  %1 = dlm.constant dense<1> : tensor<i32>
  %2 = dlm.constant dense<1> : tensor<i64>
  %3 = dlm.constant dense<0> : tensor<i32>
  %4 = dlm.constant dense<0.000000e+00> : tensor<f32>
  %5 = dlm.compare  ne %arg2, %4 : tensor<f32>
  %6 = dlm.broadcast %arg2 dims [] : tensor<f32> -> tensor<5xf32>
  %7 = dlm.div %arg1, %6 : tensor<5xf32>
  %8 = dlm.broadcast %5 dims [] : tensor<i1> -> tensor<5xi1>
  %9 = dlm.select %8, %7, %arg0 : tensor<5xf32>
  %10 = dlm.compare  ne %arg5, %4 : tensor<f32>
  %11 = dlm.select %10, %arg4, %arg3 : tensor<i32>
  %12 = dlm.compare  ne %arg6, %3 : tensor<i32>
  %13 = dlm.add %arg7, %2 : tensor<i64>
  %14 = dlm.add %arg8, %2 : tensor<i64>
  %15 = dlm.select %12, %14, %arg8 : tensor<i64>
  %16 = dlm.add %arg9, %2 : tensor<i64>
  %17 = dlm.select %12, %arg9, %16 : tensor<i64>
  %18 = dlm.cast %12 : tensor<i1> -> tensor<i32>
  %19 = dlm.add %arg10, %arg11 : tensor<f32>
  %20 = dlm.add %19, %arg12 : tensor<f32>
  return %9, %11, %13, %15, %17, %18, %1, %20, %0, %4, %3, %4 : tensor<5xf32>, tensor<i32>,
      tensor<i64>, tensor<i64>, tensor<i64>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<5xf32>,
      tensor<f32>, tensor<i32>, tensor<f32>
}
