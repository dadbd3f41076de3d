// A two-layer network with momentum, pinned by hand: its programs init, grad and update.
func.func @grad(%params: tensor<8192xf32> {dlm.buffer = "params"},
    %grads: tensor<8192xf32> {dlm.buffer = "grads"},
    %lossAcc: tensor<f32> {dlm.buffer = "loss.loss"},
        %image: tensor<4x6x6xui8> {dlm.buffer = "batch.image"},
    %label: tensor<4xi32> {dlm.buffer = "batch.label"},
        %size: tensor<f32> {dlm.buffer = "batch.size"})
    -> (tensor<8192xf32> {dlm.buffer = "grads"}, tensor<f32> {dlm.buffer = "loss.loss"})
    attributes {dlm.program = "grad", dlm.rows = 4 : i64} {
  %w1 = dlm.segment %params offset 0 : tensor<8192xf32> -> tensor<36x20xf32>
  %b1 = dlm.segment %params offset 2048 : tensor<8192xf32> -> tensor<20xf32>
  %w2 = dlm.segment %params offset 4096 : tensor<8192xf32> -> tensor<20x10xf32>
  %b2 = dlm.segment %params offset 6144 : tensor<8192xf32> -> tensor<10xf32>
  %xf = dlm.cast %image : tensor<4x6x6xui8> -> tensor<4x6x6xf32>
  %c255 = dlm.constant dense<255.0> : tensor<f32>
  %c255b = dlm.broadcast %c255 dims [] : tensor<f32> -> tensor<4x6x6xf32>
  %xs = dlm.div %xf, %c255b : tensor<4x6x6xf32>
  %x = dlm.reshape %xs : tensor<4x6x6xf32> -> tensor<4x36xf32>
  %m1 = dlm.matmul %x, %w1 {chain = #dlm.chain<splits = 1>}
      : tensor<4x36xf32>, tensor<36x20xf32> -> tensor<4x20xf32>
  %b1b = dlm.broadcast %b1 dims [1] : tensor<20xf32> -> tensor<4x20xf32>
  %p1 = dlm.add %m1, %b1b : tensor<4x20xf32>
  %h = dlm.relu %p1 : tensor<4x20xf32>
  %m2 = dlm.matmul %h, %w2 {chain = #dlm.chain<splits = 1>}
      : tensor<4x20xf32>, tensor<20x10xf32> -> tensor<4x10xf32>
  %b2b = dlm.broadcast %b2 dims [1] : tensor<10xf32> -> tensor<4x10xf32>
  %z = dlm.add %m2, %b2b : tensor<4x10xf32>
  %mx = dlm.reduce max %z dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<4x10xf32> -> tensor<4xf32>
  %mxb = dlm.broadcast %mx dims [0] : tensor<4xf32> -> tensor<4x10xf32>
  %d = dlm.sub %z, %mxb : tensor<4x10xf32>
  %e = dlm.exp %d : tensor<4x10xf32>
  %s = dlm.reduce add %e dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<4x10xf32> -> tensor<4xf32>
  %ls = dlm.log %s : tensor<4xf32>
  %lse = dlm.add %ls, %mx : tensor<4xf32>
  %iota = dlm.iota dim 1 : tensor<4x10xi32>
  %lb = dlm.broadcast %label dims [0] : tensor<4xi32> -> tensor<4x10xi32>
  %hit = dlm.compare eq %iota, %lb : tensor<4x10xi32>
  %zero = dlm.constant dense<0.0> : tensor<4x10xf32>
  %one = dlm.constant dense<1.0> : tensor<4x10xf32>
  %zl = dlm.select %hit, %z, %zero : tensor<4x10xf32>
  %zt = dlm.reduce add %zl dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<4x10xf32> -> tensor<4xf32>
  %nll = dlm.sub %lse, %zt : tensor<4xf32>
  %sum = dlm.reduce add %nll dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<4xf32> -> tensor<f32>
  %mean = dlm.div %sum, %size : tensor<f32>
  %newLoss = dlm.add %lossAcc, %mean : tensor<f32>
  %sb = dlm.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x10xf32>
  %soft = dlm.div %e, %sb : tensor<4x10xf32>
  %onehot = dlm.select %hit, %one, %zero : tensor<4x10xf32>
  %dz0 = dlm.sub %soft, %onehot : tensor<4x10xf32>
  %sizeb = dlm.broadcast %size dims [] : tensor<f32> -> tensor<4x10xf32>
  %dz = dlm.div %dz0, %sizeb : tensor<4x10xf32>
  %gw2 = dlm.matmul %h, %dz transposeLhs {chain = #dlm.chain<splits = 1>}
      : tensor<4x20xf32>, tensor<4x10xf32> -> tensor<20x10xf32>
  %gb2 = dlm.reduce add %dz dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<4x10xf32> -> tensor<10xf32>
  %dh = dlm.matmul %dz, %w2 transposeRhs {chain = #dlm.chain<splits = 1>}
      : tensor<4x10xf32>, tensor<20x10xf32> -> tensor<4x20xf32>
  %zero20 = dlm.constant dense<0.0> : tensor<4x20xf32>
  %neg = dlm.compare lt %p1, %zero20 : tensor<4x20xf32>
  %dp = dlm.select %neg, %zero20, %dh : tensor<4x20xf32>
  %gw1 = dlm.matmul %x, %dp transposeLhs {chain = #dlm.chain<splits = 1>}
      : tensor<4x36xf32>, tensor<4x20xf32> -> tensor<36x20xf32>
  %gb1 = dlm.reduce add %dp dims [0] {tree = #dlm.tree<lanes = 1, chunk = 64>}
      : tensor<4x20xf32> -> tensor<20xf32>
  %o1 = dlm.segment %grads offset 0 : tensor<8192xf32> -> tensor<36x20xf32>
  %o2 = dlm.segment %grads offset 2048 : tensor<8192xf32> -> tensor<20xf32>
  %o3 = dlm.segment %grads offset 4096 : tensor<8192xf32> -> tensor<20x10xf32>
  %o4 = dlm.segment %grads offset 6144 : tensor<8192xf32> -> tensor<10xf32>
  %n1 = dlm.add %o1, %gw1 : tensor<36x20xf32>
  %n2 = dlm.add %o2, %gb1 : tensor<20xf32>
  %n3 = dlm.add %o3, %gw2 : tensor<20x10xf32>
  %n4 = dlm.add %o4, %gb2 : tensor<10xf32>
  %new = dlm.pack %n1, %n2, %n3, %n4 offsets [0, 2048, 4096, 6144]
      : tensor<36x20xf32>, tensor<20xf32>, tensor<20x10xf32>, tensor<10xf32> -> tensor<8192xf32>
  return %new, %newLoss : tensor<8192xf32>, tensor<f32>
}
func.func @update(%params: tensor<8192xf32> {dlm.buffer = "params"},
    %grads: tensor<8192xf32> {dlm.buffer = "grads"},
    %lossAcc: tensor<f32> {dlm.buffer = "loss.loss"},
        %lr: tensor<f32> {dlm.buffer = "option.lr"}, %m: tensor<8192xf32> {dlm.buffer = "opt.m"},
    %attempt: tensor<i64> {dlm.buffer = "state.attempt"},
        %step: tensor<i64> {dlm.buffer = "state.step"})
    -> (tensor<8192xf32> {dlm.buffer = "params"}, tensor<8192xf32> {dlm.buffer = "grads"},
        tensor<8192xf32> {dlm.buffer = "opt.m"},
        tensor<f32> {dlm.buffer = "loss.loss"}, tensor<f32> {dlm.buffer = "report.loss"},
            tensor<f32> {dlm.buffer = "report.grad_norm"},
        tensor<i64> {dlm.buffer = "state.attempt"}, tensor<i64> {dlm.buffer = "state.step"},
            tensor<i32> {dlm.buffer = "state.ok"})
    attributes {dlm.program = "update", dlm.rows = 0 : i64} {
  %sq = dlm.mul %grads, %grads : tensor<8192xf32>
  %ss = dlm.reduce add %sq dims [0] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
      : tensor<8192xf32> -> tensor<f32>
  %norm = dlm.sqrt %ss : tensor<f32>
  %nn = dlm.sub %norm, %norm : tensor<f32>
  %zs = dlm.constant dense<0.0> : tensor<f32>
  %ok1 = dlm.compare eq %nn, %zs : tensor<f32>
  %ll = dlm.sub %lossAcc, %lossAcc : tensor<f32>
  %ok2 = dlm.compare eq %ll, %zs : tensor<f32>
  %ok = dlm.and %ok1, %ok2 : tensor<i1>
  %okb = dlm.broadcast %ok dims [] : tensor<i1> -> tensor<8192xi1>
  %b1 = dlm.constant dense<0.9> : tensor<8192xf32>
  %m1 = dlm.mul %m, %b1 : tensor<8192xf32>
  %m2 = dlm.add %m1, %grads : tensor<8192xf32>
  %lrb = dlm.broadcast %lr dims [] : tensor<f32> -> tensor<8192xf32>
  %stepv = dlm.mul %m2, %lrb : tensor<8192xf32>
  %p1 = dlm.sub %params, %stepv : tensor<8192xf32>
  %p2 = dlm.select %okb, %p1, %params : tensor<8192xf32>
  %m3 = dlm.select %okb, %m2, %m : tensor<8192xf32>
  %g0 = dlm.constant dense<-0.0> : tensor<8192xf32>
  %l0 = dlm.constant dense<-0.0> : tensor<f32>
  %onei = dlm.constant dense<1> : tensor<i64>
  %a1 = dlm.add %attempt, %onei : tensor<i64>
  %s1 = dlm.add %step, %onei : tensor<i64>
  %s2 = dlm.select %ok, %s1, %step : tensor<i64>
  %oki = dlm.cast %ok : tensor<i1> -> tensor<i32>
  return %p2, %g0, %m3, %l0, %lossAcc, %norm, %a1, %s2, %oki
      : tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>, tensor<f32>, tensor<f32>,
          tensor<f32>, tensor<i64>, tensor<i64>, tensor<i32>
}
func.func @init(%seed: tensor<i64> {dlm.buffer = "state.seed"})
    -> (tensor<8192xf32> {dlm.buffer = "params"}, tensor<i64> {dlm.buffer = "state.attempt"},
        tensor<f32> {dlm.buffer = "loss.loss"}, tensor<8192xf32> {dlm.buffer = "opt.m"}) 
    attributes {dlm.program = "init", dlm.rows = 0 : i64} {
  %zero = dlm.constant dense<0> : tensor<i64>
  %r = dlm.random normal %seed, %zero site 7 : tensor<36x20xf32>
  %c = dlm.constant dense<0.1> : tensor<36x20xf32>
  %w1 = dlm.mul %r, %c : tensor<36x20xf32>
  %b1 = dlm.constant dense<0.0> : tensor<20xf32>
  %u = dlm.random uniform %seed, %zero site 8 : tensor<20x10xf32>
  %b2 = dlm.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %b22 = dlm.broadcast %b2 dims [0] : tensor<3xf32> -> tensor<3x4xf32>
  %p = dlm.pack %w1, %b1, %u, %b22 offsets [0, 2048, 4096, 6144]
      : tensor<36x20xf32>, tensor<20xf32>, tensor<20x10xf32>, tensor<3x4xf32> -> tensor<8192xf32>
  %l0 = dlm.constant dense<-0.0> : tensor<f32>
  %m0 = dlm.constant dense<0.0> : tensor<8192xf32>
  return %p, %zero, %l0, %m0 : tensor<8192xf32>, tensor<i64>, tensor<f32>, tensor<8192xf32>
}
