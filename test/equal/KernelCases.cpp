// One kernel for each way a body can touch memory or combine values. The function's name is always
// @k; in kernels with `?` the launch binds it to the size.
#include "test/equal/KernelCases.h"

const KernelCase KernelCases[] = {
    {"PointWise", R"(
kernel.func @k(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: tensor<f32>) -> (%o: tensor<?xf32>)
    over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %b = kernel.load %y affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %c = kernel.load %s affine_map<(d0) -> ()> : tensor<f32> -> f32
  %0 = arith.mulf %a, %b : f32
  %1 = arith.subf %0, %c : f32
  %zero = arith.constant 0.0 : f32
  %lt = arith.cmpf olt, %1, %zero : f32
  %relu = arith.select %lt, %zero, %1 : f32
  %e = math.exp %a : f32
  %2 = arith.divf %relu, %e : f32
  %3 = math.sqrt %2 : f32
  kernel.store %3, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
})",
     5003, true},
    {"StaticPointWise", R"(
kernel.func @k(%x: tensor<$Nxf32>) -> (%o: tensor<$Nxf32>, %b: tensor<$Nxi1>) over <linear, [$N]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<$Nxf32> -> f32
  %i = kernel.iota 0 : i64
  %j = arith.trunci %i : i64 to i32
  %f = arith.sitofp %j : i32 to f32
  %lt = arith.cmpf olt, %a, %f : f32
  %0 = arith.select %lt, %a, %f : f32
  kernel.store %lt, %b affine_map<(d0) -> (d0)> : i1 -> tensor<$Nxi1>
  kernel.store %0, %o affine_map<(d0) -> (d0)> : f32 -> tensor<$Nxf32>
})"},
    {"SelectByMask", R"(
kernel.func @k(%m: tensor<?xi1>, %x: tensor<?xf32>, %n: tensor<?xi32>)
    -> (%o: tensor<?xf32>, %p: tensor<?xi64>, %q: tensor<?xi32>) over <linear, [?]> {
  %c = kernel.load %m affine_map<(d0) -> (d0)> : tensor<?xi1> -> i1
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %i = kernel.load %n affine_map<(d0) -> (d0)> : tensor<?xi32> -> i32
  %f = arith.sitofp %i : i32 to f32
  %0 = arith.select %c, %a, %f : f32
  %w = arith.extsi %i : i32 to i64
  %three = arith.constant 3 : i64
  %1 = arith.muli %w, %three : i64
  %t = arith.fptosi %a : f32 to i32
  %one = arith.constant 7 : i32
  %d = arith.divsi %t, %one : i32
  kernel.store %0, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
  kernel.store %1, %p affine_map<(d0) -> (d0)> : i64 -> tensor<?xi64>
  kernel.store %d, %q affine_map<(d0) -> (d0)> : i32 -> tensor<?xi32>
})"},
    {"BytesToReal", R"(
kernel.func @k(%x: tensor<?xui8>) -> (%o: tensor<?xf32>) over <linear, [?]> {
  %a = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xui8> -> i8
  %f = arith.uitofp %a : i8 to f32
  %s = arith.constant 255.0 : f32
  %0 = arith.divf %f, %s : f32
  kernel.store %0, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
})"},
    {"Random", R"(
kernel.func @k(%s: tensor<i64>, %t: tensor<i64>) -> (%o: tensor<?xf32>) over <linear, [?]> {
  %seed = kernel.load %s affine_map<(d0) -> ()> : tensor<i64> -> i64
  %attempt = kernel.load %t affine_map<(d0) -> ()> : tensor<i64> -> i64
  %i = kernel.iota 0 : i64
  %0 = kernel.random uniform(%seed, %attempt, %i) site 123456789 : f32
  kernel.store %0, %o affine_map<(d0) -> (d0)> : f32 -> tensor<?xf32>
})"},
    {"Bias", R"(
kernel.func @k(%x: tensor<5x$Nxf32>, %b: tensor<$Nxf32>, %r: tensor<5x1xf32>)
    -> (%o: tensor<5x$Nxf32>) over <row, [5, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<5x$Nxf32> -> f32
  %c = kernel.load %b affine_map<(d0, d1) -> (d1)> : tensor<$Nxf32> -> f32
  %d = kernel.load %r affine_map<(d0, d1) -> (d0, 0)> : tensor<5x1xf32> -> f32
  %0 = arith.addf %a, %c : f32
  %1 = arith.mulf %0, %d : f32
  kernel.store %1, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<5x$Nxf32>
})",
     5003, true},
    {"Transposed", R"(
kernel.func @k(%x: tensor<$Nx3x5xf32>) -> (%o: tensor<3x5x$Nxf32>) over <row, [3, 5, $N]> {
  %a = kernel.load %x affine_map<(d0, d1, d2) -> (d2, d0, d1)> : tensor<$Nx3x5xf32> -> f32
  kernel.store %a, %o affine_map<(d0, d1, d2) -> (d0, d1, d2)> : f32 -> tensor<3x5x$Nxf32>
})"},
    {"TransposedStore", R"(
kernel.func @k(%x: tensor<3x$Nxf32>) -> (%o: tensor<$Nx3xf32>) over <row, [3, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<3x$Nxf32> -> f32
  kernel.store %a, %o affine_map<(d0, d1) -> (d1, d0)> : f32 -> tensor<$Nx3xf32>
})"},
    {"Softmax", R"(
kernel.func @k(%x: tensor<4x$Nxf32>) -> (%o: tensor<4x$Nxf32>, %l: tensor<4xf32>)
    over <row, [4, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x$Nxf32> -> f32
  %m = kernel.reduce max %a over 1 tree<128, 2048> : f32
  %c = arith.subf %a, %m : f32
  %e = math.exp %c : f32
  %s = kernel.reduce add %e over 1 tree<128, 2048> : f32
  %0 = arith.divf %e, %s : f32
  %1 = arith.addf %m, %s : f32
  kernel.store %0, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<4x$Nxf32>
  kernel.store %1, %l affine_map<(d0, d1) -> (d0)> : f32 -> tensor<4xf32>
})",
     5003, true},
    {"CrossEntropy", R"(
kernel.func @k(%x: tensor<?x$Nxf32>, %y: tensor<?xi32>) -> (%o: tensor<?xf32>, %p: tensor<?xi32>)
    over <row, [?, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x$Nxf32> -> f32
  %y0 = kernel.load %y affine_map<(d0, d1) -> (d0)> : tensor<?xi32> -> i32
  %j = kernel.iota 1 : i64
  %j0 = arith.trunci %j : i64 to i32
  %hit = arith.cmpi eq, %j0, %y0 : i32
  %zero = arith.constant 0.0 : f32
  %h = arith.select %hit, %a, %zero : f32
  %picked = kernel.reduce add %h over 1 tree<128, 2048> : f32
  %best = kernel.argmax %a over 1 : i32
  kernel.store %picked, %o affine_map<(d0, d1) -> (d0)> : f32 -> tensor<?xf32>
  kernel.store %best, %p affine_map<(d0, d1) -> (d0)> : i32 -> tensor<?xi32>
})",
     129},
    {"RowTotal", R"(
kernel.func @k(%r: tensor<4xf32>, %x: tensor<4x$Nxf32>) -> (%t: tensor<4xf32>, %o: tensor<4x$Nxf32>)
    over <row, [4, $N]> {
  %b = kernel.load %r affine_map<(d0, d1) -> (d0)> : tensor<4xf32> -> f32
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<4x$Nxf32> -> f32
  %s = kernel.reduce add %a over 1 tree<128, 2048> : f32
  %0 = arith.addf %b, %s : f32
  %1 = arith.mulf %a, %b : f32
  kernel.store %0, %t affine_map<(d0, d1) -> (d0)> : f32 -> tensor<4xf32>
  kernel.store %1, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<4x$Nxf32>
})",
     5003, true},
    {"LayerNorm", R"(
kernel.func @k(%x: tensor<3x$Nxf32>, %g: tensor<$Nxf32>, %b: tensor<$Nxf32>)
    -> (%o: tensor<3x$Nxf32>) over <row, [3, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<3x$Nxf32> -> f32
  %g0 = kernel.load %g affine_map<(d0, d1) -> (d1)> : tensor<$Nxf32> -> f32
  %b0 = kernel.load %b affine_map<(d0, d1) -> (d1)> : tensor<$Nxf32> -> f32
  %n = arith.constant 0.015625 : f32
  %s = kernel.reduce add %a over 1 tree<128, 2048> : f32
  %mean = arith.mulf %s, %n : f32
  %c = arith.subf %a, %mean : f32
  %q = arith.mulf %c, %c : f32
  %v = kernel.reduce add %q over 1 tree<128, 2048> : f32
  %var = arith.mulf %v, %n : f32
  %eps = arith.constant 1.0e-5 : f32
  %0 = arith.addf %var, %eps : f32
  %std = math.sqrt %0 : f32
  %1 = arith.divf %c, %std : f32
  %2 = arith.mulf %1, %g0 : f32
  %3 = arith.addf %2, %b0 : f32
  kernel.store %3, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<3x$Nxf32>
})",
     5003, true},
    {"TotalReductions", R"(
kernel.func @k(%x: tensor<?xf32>, %y: tensor<?xi32>)
    -> (%s: tensor<f32>, %t: tensor<f32>, %m: tensor<f32>, %l: tensor<f32>, %n: tensor<i32>,
        %a: tensor<i32>) over <row, [?]> {
  %0 = kernel.load %x affine_map<(d0) -> (d0)> : tensor<?xf32> -> f32
  %1 = kernel.load %y affine_map<(d0) -> (d0)> : tensor<?xi32> -> i32
  %q = arith.mulf %0, %0 : f32
  %2 = kernel.reduce add %q over 0 tree<128, 2048> : f32
  %t0 = kernel.reduce add %0 over 0 tree<128, 2048> : f32
  %3 = kernel.reduce max %0 over 0 tree<128, 2048> : f32
  %4 = kernel.reduce min %0 over 0 tree<128, 2048> : f32
  %5 = kernel.reduce max %1 over 0 tree<128, 2048> : i32
  %6 = kernel.argmax %0 over 0 : i32
  %norm = math.sqrt %2 : f32
  kernel.store %norm, %s affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %t0, %t affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %3, %m affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %4, %l affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %5, %n affine_map<(d0) -> ()> : i32 -> tensor<i32>
  kernel.store %6, %a affine_map<(d0) -> ()> : i32 -> tensor<i32>
})"},
    {"ColumnSum", R"(
kernel.func @k(%x: tensor<70x$Nxf32>, %w: tensor<70xf32>)
    -> (%o: tensor<$Nxf32>, %c: tensor<$Nxf32>) over <column, [70, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<70x$Nxf32> -> f32
  %b = kernel.load %w affine_map<(d0, d1) -> (d0)> : tensor<70xf32> -> f32
  %p = arith.mulf %a, %b : f32
  %s = kernel.reduce add %p over 0 tree<1, 64> : f32
  %t = kernel.reduce add %b over 0 tree<1, 64> : f32
  kernel.store %s, %o affine_map<(d0, d1) -> (d1)> : f32 -> tensor<$Nxf32>
  kernel.store %t, %c affine_map<(d0, d1) -> (d1)> : f32 -> tensor<$Nxf32>
})",
     1000},
    {"ColumnDeviation", R"(
kernel.func @k(%x: tensor<?x37xf32>) -> (%o: tensor<37xf32>, %m: tensor<37xf32>)
    over <column, [?, 37]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0, d1)> : tensor<?x37xf32> -> f32
  %s = kernel.reduce add %a over 0 tree<1, 64> : f32
  %n = arith.constant 0.0625 : f32
  %mean = arith.mulf %s, %n : f32
  %c = arith.subf %a, %mean : f32
  %q = arith.mulf %c, %c : f32
  %v = kernel.reduce add %q over 0 tree<1, 64> : f32
  %top = kernel.reduce max %a over 0 tree<1, 64> : f32
  kernel.store %v, %o affine_map<(d0, d1) -> (d1)> : f32 -> tensor<37xf32>
  kernel.store %top, %m affine_map<(d0, d1) -> (d1)> : f32 -> tensor<37xf32>
})",
     2049},
    {"Scalars", R"(
kernel.func @k(%x: tensor<f32>, %n: tensor<i64>)
    -> (%o: tensor<f32>, %p: tensor<i64>, %q: tensor<i1>) over <linear, [1]> {
  %a = kernel.load %x affine_map<(d0) -> ()> : tensor<f32> -> f32
  %b = kernel.load %n affine_map<(d0) -> ()> : tensor<i64> -> i64
  %one = arith.constant 1 : i64
  %0 = arith.addi %b, %one : i64
  %1 = arith.subf %a, %a : f32
  %zero = arith.constant 0.0 : f32
  %ok = arith.cmpf oeq, %1, %zero : f32
  %e = math.exp %a : f32
  kernel.store %e, %o affine_map<(d0) -> ()> : f32 -> tensor<f32>
  kernel.store %0, %p affine_map<(d0) -> ()> : i64 -> tensor<i64>
  kernel.store %ok, %q affine_map<(d0) -> ()> : i1 -> tensor<i1>
})",
     1, true},
    {"Shifted", R"(
kernel.func @k(%x: tensor<6x$Nxf32>, %m: tensor<$Nxi1>)
    -> (%o: tensor<3x$Nxf32>, %p: tensor<3x$Nxi1>) over <row, [3, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0 + 2, d1)> : tensor<6x$Nxf32> -> f32
  %b = kernel.load %x affine_map<(d0, d1) -> (d0 - 1, d1 + 3)> guarded : tensor<6x$Nxf32> -> f32
  %c = kernel.load %x affine_map<(d0, d1) -> (5, d1 - 2)> guarded : tensor<6x$Nxf32> -> f32
  %d = kernel.load %x affine_map<(d0, d1) -> (-d0 + 4, 0)> : tensor<6x$Nxf32> -> f32
  %e = kernel.load %m affine_map<(d0, d1) -> (d1 - 1)> guarded : tensor<$Nxi1> -> i1
  %0 = arith.subf %a, %b : f32
  %1 = arith.mulf %0, %c : f32
  %2 = arith.addf %1, %d : f32
  kernel.store %2, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<3x$Nxf32>
  kernel.store %e, %p affine_map<(d0, d1) -> (d0, d1)> : i1 -> tensor<3x$Nxi1>
})"},
    {"SumsOfDims", R"(
kernel.func @k(%x: tensor<9x$Nxf32>, %y: tensor<$Nxf32>, %z: tensor<$Nx6xf32>)
    -> (%o: tensor<3x2x$Nxf32>, %p: tensor<3x2x$Nxf32>) over <row, [3, 2, $N]> {
  %a = kernel.load %x affine_map<(d0, d1, d2) -> (d0 * 2 + d1 * 3 + 1, d2)>
      : tensor<9x$Nxf32> -> f32
  %b = kernel.load %x affine_map<(d0, d1, d2) -> (d0 * 4 - d1 * 3, d2 + d1 - 1)> guarded
      : tensor<9x$Nxf32> -> f32
  %c = kernel.load %y affine_map<(d0, d1, d2) -> (d2 * 3 + d1)> guarded : tensor<$Nxf32> -> f32
  %d = kernel.load %y affine_map<(d0, d1, d2) -> (d0 * 5 - d2 * 2 + 4)> guarded
      : tensor<$Nxf32> -> f32
  %e = kernel.load %z affine_map<(d0, d1, d2) -> (d2, d0 * 2 + d1)> : tensor<$Nx6xf32> -> f32
  %0 = arith.subf %a, %b : f32
  %1 = arith.mulf %0, %e : f32
  %2 = arith.subf %c, %d : f32
  kernel.store %1, %o affine_map<(d0, d1, d2) -> (d0, d1, d2)> : f32 -> tensor<3x2x$Nxf32>
  kernel.store %2, %p affine_map<(d0, d1, d2) -> (d0, d1, d2)> : f32 -> tensor<3x2x$Nxf32>
})"},
    {"Backwards", R"(
kernel.func @k(%x: tensor<4x$Nxf32>, %u: tensor<$Nxui8>)
    -> (%o: tensor<4x$Nxf32>, %r: tensor<4xf32>) over <row, [4, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (-d0 + 3, -d1 + ($N - 1))> : tensor<4x$Nxf32> -> f32
  %b = kernel.load %x affine_map<(d0, d1) -> (d0, -d1 + 5)> guarded : tensor<4x$Nxf32> -> f32
  %c = kernel.load %u affine_map<(d0, d1) -> (-d1 + ($N - 1))> : tensor<$Nxui8> -> i8
  %f = arith.uitofp %c : i8 to f32
  %0 = arith.subf %a, %b : f32
  %1 = arith.mulf %0, %f : f32
  %2 = kernel.reduce add %1 over 1 tree<128, 2048> : f32
  kernel.store %1, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<4x$Nxf32>
  kernel.store %2, %r affine_map<(d0, d1) -> (d0)> : f32 -> tensor<4xf32>
})"},
    {"ShiftedColumns", R"(
kernel.func @k(%x: tensor<3x$Nxf32>) -> (%o: tensor<$Nxf32>) over <column, [5, $N]> {
  %a = kernel.load %x affine_map<(d0, d1) -> (d0 - 1, -d1 + ($N - 1))> guarded
      : tensor<3x$Nxf32> -> f32
  %b = kernel.load %x affine_map<(d0, d1) -> (1, d1 + 1)> guarded : tensor<3x$Nxf32> -> f32
  %0 = arith.addf %a, %b : f32
  %s = kernel.reduce add %0 over 0 tree<1, 64> : f32
  kernel.store %s, %o affine_map<(d0, d1) -> (d1)> : f32 -> tensor<$Nxf32>
})"},
    {"FlatByIndex", R"(
kernel.func @k(%x: tensor<50xf32>, %n: tensor<$Nxi64>, %t: tensor<9x3xi32>)
    -> (%o: tensor<$Nxf32>, %p: tensor<$Nxi32>) over <linear, [$N]> {
  %i = kernel.load %n affine_map<(d0) -> (d0)> : tensor<$Nxi64> -> i64
  %a = kernel.load %x at(%i) affine_map<(d0)[s0] -> (s0)> guarded : tensor<50xf32> -> f32
  %b = kernel.load %t at(%i, %i) affine_map<(d0)[s0, s1] -> (s0, s1)> guarded
      : tensor<9x3xi32> -> i32
  kernel.store %a, %o affine_map<(d0) -> (d0)> : f32 -> tensor<$Nxf32>
  kernel.store %b, %p affine_map<(d0) -> (d0)> : i32 -> tensor<$Nxi32>
})"},
    {"RowsByIndex", R"(
kernel.func @k(%x: tensor<20x$Nxf32>, %n: tensor<6xi32>, %m: tensor<$Nxi64>)
    -> (%o: tensor<6x$Nxf32>, %p: tensor<6x$Nxf32>) over <row, [6, $N]> {
  %i = kernel.load %n affine_map<(d0, d1) -> (d0)> : tensor<6xi32> -> i32
  %j = arith.extsi %i : i32 to i64
  %a = kernel.load %x at(%j) affine_map<(d0, d1)[s0] -> (s0, d1)> guarded : tensor<20x$Nxf32> -> f32
  %k = kernel.load %m affine_map<(d0, d1) -> (d1)> : tensor<$Nxi64> -> i64
  %b = kernel.load %x at(%k) affine_map<(d0, d1)[s0] -> (s0, -d1 + ($N - 1))> guarded
      : tensor<20x$Nxf32> -> f32
  %s = kernel.reduce max %b over 1 tree<128, 2048> : f32
  %0 = arith.subf %a, %s : f32
  kernel.store %0, %o affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<6x$Nxf32>
  kernel.store %b, %p affine_map<(d0, d1) -> (d0, d1)> : f32 -> tensor<6x$Nxf32>
})"},
    {"SumsByIndex", R"(
kernel.func @k(%x: tensor<2x37x$Nxf32>, %y: tensor<$Nxf32>, %n: tensor<2x37xi32>)
    -> (%o: tensor<2x19x$Nxf32>) over <scatter, [2, 19, 37, $N]> {
  %a = kernel.load %x affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)> : tensor<2x37x$Nxf32> -> f32
  %b = kernel.load %y affine_map<(d0, d1, d2, d3) -> (d3)> : tensor<$Nxf32> -> f32
  %i = kernel.load %n affine_map<(d0, d1, d2, d3) -> (d0, d2)> : tensor<2x37xi32> -> i32
  %eight = arith.constant 8 : i32
  %small = arith.divsi %i, %eight : i32
  %id = arith.extsi %small : i32 to i64
  %0 = arith.mulf %a, %b : f32
  %s = kernel.scatter %0 at %id : f32
  kernel.store %s, %o affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)> : f32 -> tensor<2x19x$Nxf32>
})",
     129},
    {"ManySumsByIndex", R"(
kernel.func @k(%x: tensor<$Nx3xf32>, %r: tensor<$Nxf32>, %n: tensor<$Nxi64>)
    -> (%o: tensor<600x3xf32>, %p: tensor<600x3xf32>) over <scatter, [1, 600, $N, 3]> {
  %a = kernel.load %x affine_map<(d0, d1, d2, d3) -> (d2, d3)> : tensor<$Nx3xf32> -> f32
  %b = kernel.load %r affine_map<(d0, d1, d2, d3) -> (d2)> : tensor<$Nxf32> -> f32
  %i = kernel.load %n affine_map<(d0, d1, d2, d3) -> (d2)> : tensor<$Nxi64> -> i64
  %six = arith.constant 6 : i64
  %id = arith.muli %i, %six : i64
  %0 = arith.subf %a, %b : f32
  %s = kernel.scatter %0 at %id : f32
  kernel.store %s, %o affine_map<(d0, d1, d2, d3) -> (d1, d3)> : f32 -> tensor<600x3xf32>
  kernel.store %s, %p affine_map<(d0, d1, d2, d3) -> (d1, d3)> : f32 -> tensor<600x3xf32>
})",
     64},
    {"NumbersByIndex", R"(
kernel.func @k(%x: tensor<$Nxf32>, %n: tensor<$Nxi64>) -> (%o: tensor<$Nx1xf32>)
    over <scatter, [1, $N, $N, 1]> {
  %a = kernel.load %x affine_map<(d0, d1, d2, d3) -> (d2)> : tensor<$Nxf32> -> f32
  %i = kernel.load %n affine_map<(d0, d1, d2, d3) -> (d2)> : tensor<$Nxi64> -> i64
  %s = kernel.scatter %a at %i : f32
  kernel.store %s, %o affine_map<(d0, d1, d2, d3) -> (d1, d3)> : f32 -> tensor<$Nx1xf32>
})",
     1000},
    {nullptr, nullptr},
};
