// A step of a small network with groups of four samples normalised between its layers: what `dlmc
// --emit=pin` made of it. Statistics of groups meet single samples, and the buffers move.
func.func @grad(%arg0: tensor<8x6x6xui8> {dlm.buffer = "batch.image"}, %arg1: tensor<12288xf32>
    {dlm.buffer = "params"}, %arg2: tensor<f32> {dlm.buffer = "batch.size"}, %arg3: tensor<20xf32>
    {dlm.buffer = "buffer.norm.running_mean"}, %arg4: tensor<20xf32> {dlm.buffer =
    "buffer.norm.running_var"}, %arg5: tensor<8xi32> {dlm.buffer = "batch.label"}, %arg6:
    tensor<f32> {dlm.buffer = "loss.loss"}, %arg7: tensor<20xf32> {dlm.buffer =
    "next.norm.running_mean"}, %arg8: tensor<20xf32> {dlm.buffer = "next.norm.running_var"},
    %arg9: tensor<12288xf32> {dlm.buffer = "grads"}) -> (tensor<f32> {dlm.buffer = "loss.loss"},
    tensor<20xf32> {dlm.buffer = "next.norm.running_mean"}, tensor<20xf32> {dlm.buffer =
    "next.norm.running_var"}, tensor<12288xf32> {dlm.buffer = "grads"}) attributes {dlm.program =
    "grad", dlm.rows = 8 : i64} {
  %0 = dlm.constant dense<4.000000e+00> : tensor<2x1x20xf32>
  %1 = dlm.constant dense<-5.000000e-01> : tensor<2x1x20xf32>
  %2 = dlm.constant dense<9.99999974E-6> : tensor<2x20xf32>
  %3 = dlm.constant dense<1.33333337> : tensor<2x20xf32>
  %4 = dlm.constant dense<4.000000e+00> : tensor<2x20xf32>
  %5 = dlm.constant dense<5> : tensor<8xi64>
  %6 = dlm.constant dense<0> : tensor<8xi64>
  %7 = dlm.constant dense<1.000000e-01> : tensor<20xf32>
  %8 = dlm.constant dense<4.000000e+00> : tensor<2x1x1x20xf32>
  %9 = dlm.constant dense<2.550000e+02> : tensor<8x6x6xf32>
  %10 = dlm.constant dense<0.000000e+00> : tensor<8x20xf32>
  %11 = dlm.constant dense<0.000000e+00> : tensor<8x5xf32>
  %12 = dlm.constant dense<0.000000e+00> : tensor<8xf32>
  %13 = dlm.constant dense<1.000000e+00> : tensor<f32>
  %14 = dlm.constant dense<8.000000e+00> : tensor<f32>
  %15 = dlm.constant dense<2.500000e-01> : tensor<f32>
  %16 = dlm.cast %arg0 : tensor<8x6x6xui8> -> tensor<8x6x6xf32>
  %17 = dlm.div %16, %9 : tensor<8x6x6xf32>
  %18 = dlm.reshape %17 : tensor<8x6x6xf32> -> tensor<8x36xf32>
  %19 = dlm.segment %arg1 offset 0 : tensor<12288xf32> -> tensor<36x20xf32>
  %20 = dlm.matmul %18, %19 {chain = #dlm.chain<splits = 1>} : tensor<8x36xf32>, tensor<36x20xf32>
      -> tensor<8x20xf32>
  %21 = dlm.segment %arg1 offset 2048 : tensor<12288xf32> -> tensor<20xf32>
  %22 = dlm.broadcast %21 dims [1] : tensor<20xf32> -> tensor<8x20xf32>
  %23 = dlm.add %20, %22 : tensor<8x20xf32>
  %24 = dlm.reshape %23 : tensor<8x20xf32> -> tensor<2x4x1x20xf32>
  %25 = dlm.reduce  add %24 dims [1, 2] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<2x4x1x20xf32> -> tensor<2x20xf32>
  %26 = dlm.div %25, %4 : tensor<2x20xf32>
  %27 = dlm.reshape %26 : tensor<2x20xf32> -> tensor<2x1x1x20xf32>
  %28 = dlm.broadcast %26 dims [0, 3] : tensor<2x20xf32> -> tensor<2x4x1x20xf32>
  %29 = dlm.sub %24, %28 : tensor<2x4x1x20xf32>
  %30 = dlm.mul %29, %29 : tensor<2x4x1x20xf32>
  %31 = dlm.reduce  add %30 dims [1, 2] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<2x4x1x20xf32> -> tensor<2x20xf32>
  %32 = dlm.div %31, %4 : tensor<2x20xf32>
  %33 = dlm.mul %32, %3 : tensor<2x20xf32>
  %34 = dlm.reshape %33 : tensor<2x20xf32> -> tensor<2x1x1x20xf32>
  %35 = dlm.reduce  add %27 dims [0, 1, 2] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<2x1x1x20xf32> -> tensor<20xf32>
  %36 = dlm.mul %arg2, %15 : tensor<f32>
  %37 = dlm.broadcast %36 dims [] : tensor<f32> -> tensor<20xf32>
  %38 = dlm.div %35, %37 : tensor<20xf32>
  %39 = dlm.div %14, %arg2 : tensor<f32>
  %40 = dlm.broadcast %39 dims [] : tensor<f32> -> tensor<20xf32>
  %41 = dlm.mul %arg3, %40 : tensor<20xf32>
  %42 = dlm.sub %38, %41 : tensor<20xf32>
  %43 = dlm.mul %7, %42 : tensor<20xf32>
  %44 = dlm.add %41, %43 : tensor<20xf32>
  %45 = dlm.reduce  add %34 dims [0, 1, 2] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<2x1x1x20xf32> -> tensor<20xf32>
  %46 = dlm.div %45, %37 : tensor<20xf32>
  %47 = dlm.mul %arg4, %40 : tensor<20xf32>
  %48 = dlm.sub %46, %47 : tensor<20xf32>
  %49 = dlm.mul %7, %48 : tensor<20xf32>
  %50 = dlm.add %47, %49 : tensor<20xf32>
  %51 = dlm.add %32, %2 : tensor<2x20xf32>
  %52 = dlm.reshape %51 : tensor<2x20xf32> -> tensor<2x1x1x20xf32>
  %53 = dlm.rsqrt %51 : tensor<2x20xf32>
  %54 = dlm.reshape %53 : tensor<2x20xf32> -> tensor<2x1x1x20xf32>
  %55 = dlm.broadcast %53 dims [0, 3] : tensor<2x20xf32> -> tensor<2x4x1x20xf32>
  %56 = dlm.mul %29, %55 : tensor<2x4x1x20xf32>
  %57 = dlm.reshape %56 : tensor<2x4x1x20xf32> -> tensor<8x20xf32>
  %58 = dlm.segment %arg1 offset 4096 : tensor<12288xf32> -> tensor<20xf32>
  %59 = dlm.broadcast %58 dims [1] : tensor<20xf32> -> tensor<8x20xf32>
  %60 = dlm.mul %57, %59 : tensor<8x20xf32>
  %61 = dlm.segment %arg1 offset 6144 : tensor<12288xf32> -> tensor<20xf32>
  %62 = dlm.broadcast %61 dims [1] : tensor<20xf32> -> tensor<8x20xf32>
  %63 = dlm.add %60, %62 : tensor<8x20xf32>
  %64 = dlm.relu %63 : tensor<8x20xf32>
  %65 = dlm.segment %arg1 offset 8192 : tensor<12288xf32> -> tensor<20x5xf32>
  %66 = dlm.matmul %64, %65 {chain = #dlm.chain<splits = 1>} : tensor<8x20xf32>, tensor<20x5xf32>
      -> tensor<8x5xf32>
  %67 = dlm.segment %arg1 offset 10240 : tensor<12288xf32> -> tensor<5xf32>
  %68 = dlm.broadcast %67 dims [1] : tensor<5xf32> -> tensor<8x5xf32>
  %69 = dlm.add %66, %68 : tensor<8x5xf32>
  %70 = dlm.iota dim 0 : tensor<5xi32>
  %71 = dlm.broadcast %arg5 dims [0] : tensor<8xi32> -> tensor<8x5xi32>
  %72 = dlm.broadcast %70 dims [1] : tensor<5xi32> -> tensor<8x5xi32>
  %73 = dlm.compare  eq %71, %72 : tensor<8x5xi32>
  %74 = dlm.reduce  max %69 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>} :
      tensor<8x5xf32> -> tensor<8xf32>
  %75 = dlm.broadcast %74 dims [0] : tensor<8xf32> -> tensor<8x5xf32>
  %76 = dlm.sub %69, %75 : tensor<8x5xf32>
  %77 = dlm.exp %76 : tensor<8x5xf32>
  %78 = dlm.reduce  add %77 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>} :
      tensor<8x5xf32> -> tensor<8xf32>
  %79 = dlm.log %78 : tensor<8xf32>
  %80 = dlm.broadcast %79 dims [0] : tensor<8xf32> -> tensor<8x5xf32>
  %81 = dlm.sub %76, %80 : tensor<8x5xf32>
  %82 = dlm.select %73, %81, %11 : tensor<8x5xf32>
  %83 = dlm.reduce  add %82 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>} :
      tensor<8x5xf32> -> tensor<8xf32>
  %84 = dlm.cast %arg5 : tensor<8xi32> -> tensor<8xi64>
  %85 = dlm.sub %83, %83 : tensor<8xf32>
  %86 = dlm.compare  ge %84, %6 : tensor<8xi64>
  %87 = dlm.compare  lt %84, %5 : tensor<8xi64>
  %88 = dlm.and %86, %87 : tensor<8xi1>
  %89 = dlm.div %85, %85 : tensor<8xf32>
  %90 = dlm.select %88, %83, %89 : tensor<8xf32>
  %91 = dlm.reduce  add %90 dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>} : tensor<8xf32>
      -> tensor<f32>
  %92 = dlm.div %91, %arg2 : tensor<f32>
  %93 = dlm.neg %92 : tensor<f32>
  %94 = dlm.neg %13 : tensor<f32>
  %95 = dlm.div %94, %arg2 : tensor<f32>
  %96 = dlm.broadcast %95 dims [] : tensor<f32> -> tensor<8xf32>
  %97 = dlm.select %88, %96, %12 : tensor<8xf32>
  %98 = dlm.broadcast %97 dims [0] : tensor<8xf32> -> tensor<8x5xf32>
  %99 = dlm.select %73, %98, %11 : tensor<8x5xf32>
  %100 = dlm.neg %99 : tensor<8x5xf32>
  %101 = dlm.reduce  add %100 dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>} :
      tensor<8x5xf32> -> tensor<8xf32>
  %102 = dlm.div %101, %78 : tensor<8xf32>
  %103 = dlm.broadcast %102 dims [0] : tensor<8xf32> -> tensor<8x5xf32>
  %104 = dlm.mul %103, %77 : tensor<8x5xf32>
  %105 = dlm.add %99, %104 : tensor<8x5xf32>
  %106 = dlm.reduce  add %105 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} : tensor<8x5xf32>
      -> tensor<5xf32>
  %107 = dlm.matmul %105, %65 transposeRhs {chain = #dlm.chain<splits = 1>} : tensor<8x5xf32>,
      tensor<20x5xf32> -> tensor<8x20xf32>
  %108 = dlm.matmul %64, %105 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<8x20xf32>,
      tensor<8x5xf32> -> tensor<20x5xf32>
  %109 = dlm.compare  gt %63, %10 : tensor<8x20xf32>
  %110 = dlm.select %109, %107, %10 : tensor<8x20xf32>
  %111 = dlm.reduce  add %110 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<8x20xf32> -> tensor<20xf32>
  %112 = dlm.mul %110, %59 : tensor<8x20xf32>
  %113 = dlm.mul %110, %57 : tensor<8x20xf32>
  %114 = dlm.reduce  add %113 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<8x20xf32> -> tensor<20xf32>
  %115 = dlm.reshape %112 : tensor<8x20xf32> -> tensor<2x4x1x20xf32>
  %116 = dlm.mul %115, %55 : tensor<2x4x1x20xf32>
  %117 = dlm.mul %115, %29 : tensor<2x4x1x20xf32>
  %118 = dlm.reduce  add %117 dims [1] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<2x4x1x20xf32> -> tensor<2x1x20xf32>
  %119 = dlm.mul %118, %1 : tensor<2x1x20xf32>
  %120 = dlm.reshape %119 : tensor<2x1x20xf32> -> tensor<2x1x1x20xf32>
  %121 = dlm.mul %120, %54 : tensor<2x1x1x20xf32>
  %122 = dlm.div %121, %52 : tensor<2x1x1x20xf32>
  %123 = dlm.div %122, %8 : tensor<2x1x1x20xf32>
  %124 = dlm.reshape %123 : tensor<2x1x1x20xf32> -> tensor<2x20xf32>
  %125 = dlm.broadcast %124 dims [0, 3] : tensor<2x20xf32> -> tensor<2x4x1x20xf32>
  %126 = dlm.mul %125, %29 : tensor<2x4x1x20xf32>
  %127 = dlm.add %116, %126 : tensor<2x4x1x20xf32>
  %128 = dlm.add %127, %126 : tensor<2x4x1x20xf32>
  %129 = dlm.neg %128 : tensor<2x4x1x20xf32>
  %130 = dlm.reduce  add %129 dims [1] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<2x4x1x20xf32> -> tensor<2x1x20xf32>
  %131 = dlm.div %130, %0 : tensor<2x1x20xf32>
  %132 = dlm.reshape %131 : tensor<2x1x20xf32> -> tensor<2x20xf32>
  %133 = dlm.broadcast %132 dims [0, 3] : tensor<2x20xf32> -> tensor<2x4x1x20xf32>
  %134 = dlm.add %128, %133 : tensor<2x4x1x20xf32>
  %135 = dlm.reshape %134 : tensor<2x4x1x20xf32> -> tensor<8x20xf32>
  %136 = dlm.reduce  add %135 dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>} :
      tensor<8x20xf32> -> tensor<20xf32>
  %137 = dlm.matmul %18, %135 transposeLhs {chain = #dlm.chain<splits = 1>} : tensor<8x36xf32>,
      tensor<8x20xf32> -> tensor<36x20xf32>
  %138 = dlm.add %arg6, %93 : tensor<f32>
  %139 = dlm.add %arg7, %44 : tensor<20xf32>
  %140 = dlm.add %arg8, %50 : tensor<20xf32>
  %141 = dlm.segment %arg9 offset 0 : tensor<12288xf32> -> tensor<36x20xf32>
  %142 = dlm.add %141, %137 : tensor<36x20xf32>
  %143 = dlm.segment %arg9 offset 2048 : tensor<12288xf32> -> tensor<20xf32>
  %144 = dlm.add %143, %136 : tensor<20xf32>
  %145 = dlm.segment %arg9 offset 4096 : tensor<12288xf32> -> tensor<20xf32>
  %146 = dlm.add %145, %114 : tensor<20xf32>
  %147 = dlm.segment %arg9 offset 6144 : tensor<12288xf32> -> tensor<20xf32>
  %148 = dlm.add %147, %111 : tensor<20xf32>
  %149 = dlm.segment %arg9 offset 8192 : tensor<12288xf32> -> tensor<20x5xf32>
  %150 = dlm.add %149, %108 : tensor<20x5xf32>
  %151 = dlm.segment %arg9 offset 10240 : tensor<12288xf32> -> tensor<5xf32>
  %152 = dlm.add %151, %106 : tensor<5xf32>
  %153 = dlm.pack %142, %144, %146, %148, %150, %152 offsets [0, 2048, 4096, 6144, 8192, 10240] :
      tensor<36x20xf32>, tensor<20xf32>, tensor<20xf32>, tensor<20xf32>, tensor<20x5xf32>,
      tensor<5xf32> -> tensor<12288xf32>
  return %138, %139, %140, %153 : tensor<f32>, tensor<20xf32>, tensor<20xf32>, tensor<12288xf32>
}
func.func @update(%arg0: tensor<12288xf32> {dlm.buffer = "params"}, %arg1: tensor<12288xf32>
    {dlm.buffer = "opt.velocity"}, %arg2: tensor<12288xf32> {dlm.buffer = "grads"}, %arg3:
    tensor<20xf32> {dlm.buffer = "next.norm.running_mean"}, %arg4: tensor<20xf32> {dlm.buffer =
    "next.norm.running_var"}, %arg5: tensor<f32> {dlm.buffer = "loss.loss"}, %arg6: tensor<f32>
    {dlm.buffer = "report.lr"}, %arg7: tensor<20xf32> {dlm.buffer = "buffer.norm.running_mean"},
    %arg8: tensor<20xf32> {dlm.buffer = "buffer.norm.running_var"}, %arg9: tensor<i64> {dlm.buffer
    = "state.attempt"}, %arg10: tensor<i64> {dlm.buffer = "state.step"}, %arg11: tensor<i64>
    {dlm.buffer = "state.skipped"}) -> (tensor<12288xf32> {dlm.buffer = "params"},
    tensor<12288xf32> {dlm.buffer = "opt.velocity"}, tensor<f32> {dlm.buffer = "report.lr"},
    tensor<20xf32> {dlm.buffer = "buffer.norm.running_mean"}, tensor<20xf32> {dlm.buffer =
    "buffer.norm.running_var"}, tensor<i64> {dlm.buffer = "state.attempt"}, tensor<i64>
    {dlm.buffer = "state.step"}, tensor<i64> {dlm.buffer = "state.skipped"}, tensor<i32>
    {dlm.buffer = "state.ok"}, tensor<f32> {dlm.buffer = "report.loss"}, tensor<f32> {dlm.buffer =
    "report.grad_norm"}, tensor<12288xf32> {dlm.buffer = "grads"}, tensor<f32> {dlm.buffer =
    "loss.loss"}, tensor<20xf32> {dlm.buffer = "next.norm.running_mean"}, tensor<20xf32>
    {dlm.buffer = "next.norm.running_var"}) attributes {dlm.program = "update", dlm.rows = 0 :
    i64} {
  %0 = dlm.constant dense<1.000000e-01> : tensor<12288xf32>
  %1 = dlm.constant dense<1.000000e-30> : tensor<12288xf32>
  %2 = dlm.constant dense<-0.000000e+00> : tensor<20xf32>
  %3 = dlm.constant dense<-0.000000e+00> : tensor<f32>
  %4 = dlm.constant dense<-0.000000e+00> : tensor<12288xf32>
  %5 = dlm.constant dense<1> : tensor<i64>
  %6 = dlm.constant dense<1.000000e-01> : tensor<f32>
  %7 = dlm.constant dense<0.000000e+00> : tensor<f32>
  %8 = dlm.constant dense<0.000000e+00> : tensor<12288xf32>
  %9 = dlm.mul %8, %arg0 : tensor<12288xf32>
  %10 = dlm.add %arg2, %9 : tensor<12288xf32>
  %11 = dlm.mul %8, %arg1 : tensor<12288xf32>
  %12 = dlm.add %11, %10 : tensor<12288xf32>
  %13 = dlm.abs %12 : tensor<12288xf32>
  %14 = dlm.compare  lt %13, %1 : tensor<12288xf32>
  %15 = dlm.select %14, %8, %12 : tensor<12288xf32>
  %16 = dlm.mul %0, %15 : tensor<12288xf32>
  %17 = dlm.sub %arg0, %16 : tensor<12288xf32>
  %18 = dlm.mul %arg2, %arg2 : tensor<12288xf32>
  %19 = dlm.reduce  add %18 dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>} :
      tensor<12288xf32> -> tensor<f32>
  %20 = dlm.sqrt %19 : tensor<f32>
  %21 = dlm.sub %20, %20 : tensor<f32>
  %22 = dlm.compare  eq %21, %7 : tensor<f32>
  %23 = dlm.sub %arg5, %arg5 : tensor<f32>
  %24 = dlm.compare  eq %23, %7 : tensor<f32>
  %25 = dlm.and %22, %24 : tensor<i1>
  %26 = dlm.broadcast %25 dims [] : tensor<i1> -> tensor<12288xi1>
  %27 = dlm.select %26, %17, %arg0 : tensor<12288xf32>
  %28 = dlm.select %26, %15, %arg1 : tensor<12288xf32>
  %29 = dlm.select %25, %6, %arg6 : tensor<f32>
  %30 = dlm.broadcast %25 dims [] : tensor<i1> -> tensor<20xi1>
  %31 = dlm.select %30, %arg3, %arg7 : tensor<20xf32>
  %32 = dlm.select %30, %arg4, %arg8 : tensor<20xf32>
  %33 = dlm.add %arg9, %5 : tensor<i64>
  %34 = dlm.add %arg10, %5 : tensor<i64>
  %35 = dlm.select %25, %34, %arg10 : tensor<i64>
  %36 = dlm.add %arg11, %5 : tensor<i64>
  %37 = dlm.select %25, %arg11, %36 : tensor<i64>
  %38 = dlm.cast %25 : tensor<i1> -> tensor<i32>
  return %27, %28, %29, %31, %32, %33, %35, %37, %38, %arg5, %20, %4, %3, %2, %2 :
      tensor<12288xf32>, tensor<12288xf32>, tensor<f32>, tensor<20xf32>, tensor<20xf32>,
      tensor<i64>, tensor<i64>, tensor<i64>, tensor<i32>, tensor<f32>, tensor<f32>,
      tensor<12288xf32>, tensor<f32>, tensor<20xf32>, tensor<20xf32>
}
