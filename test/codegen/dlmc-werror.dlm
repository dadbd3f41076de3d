// RUN: rm -rf %t && mkdir -p %t/d
// RUN: printf '\0\0\010\003\0\0\0\002\0\0\0\001\0\0\0\001ab' > %t/d/train-images-idx3-ubyte
// RUN: printf '\0\0\010\001\0\0\0\002\0\001' > %t/d/train-labels-idx1-ubyte
// RUN: cp %t/d/train-images-idx3-ubyte %t/d/t10k-images-idx3-ubyte
// RUN: cp %t/d/train-labels-idx1-ubyte %t/d/t10k-labels-idx1-ubyte
// RUN: cp %s %t/a.dlm
// RUN: cd %t && dlmc check a.dlm 2>&1 | FileCheck %s
// RUN: cd %t && not dlmc check a.dlm --werror 2>&1 | FileCheck %s --check-prefixes=CHECK,ERROR
// RUN: cd %t && not dlmc a.dlm --werror -o b && test ! -e b
// CHECK: warning[unused-option]: the option `spare` is never used
// ERROR: error: there are warnings, and --werror was given

use nn, optim, data
option spare = 3
train t {
  let net = nn.Linear(1, 1)
  data = data.idx("d")
  batch = 2
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 1]))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 steps
}
