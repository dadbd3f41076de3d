// The texts, and the way from text to PTX.
#include "test/codegen/DeviceText.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace test {

std::string makeKernelText(const std::string &body, const std::string &declared) {
  return "gpu.module @device {\n" + declared + R"(
  gpu.func @k(%in: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias},
              %out: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias},
              %extent: i64) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %c256 = arith.constant 256 : index
    %begin = arith.muli %block, %c256 : index
    %index = arith.addi %begin, %thread : index
    %i = arith.index_cast %index : index to i64
)" + body +
         R"(
    gpu.return
  }
})";
}

const char FourNeighboursText[] = R"(
gpu.module @device {
  gpu.func @four(%in: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                 %out: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias},
                 %extent: i64, %items: i64)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c1024 = arith.constant 1024 : index
    %two = arith.constant 2.5 : f32
    %begin = arith.muli %block, %c1024 : index
    %mine = arith.muli %thread, %c4 : index
    %first = arith.addi %begin, %mine : index
    %i = arith.index_cast %first : index to i64
    %count = arith.constant 4 : i64
    %end = arith.addi %i, %count : i64
    %inside = arith.cmpi ule, %end, %extent : i64
    scf.if %inside {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %j = %c0 to %c4 step %c1 {
        %j64 = arith.index_cast %j : index to i64
        %at = arith.addi %i, %j64 : i64
        %from = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
        %x = llvm.load %from : !llvm.ptr<1> -> f32
        %y = arith.mulf %x, %two : f32
        %z = arith.addf %y, %x : f32
        llvm.store %z, %to : f32, !llvm.ptr<1>
      }
    }
    gpu.return
  }
})";

const char RowText[] = R"(
gpu.module @device {
  gpu.func @row(%in: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                %out: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias},
                %extent: i64, %items: i64)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : i64
    %c2 = arith.constant 2 : i64
    %w0 = arith.constant 0 : i32
    %w1 = arith.constant 1 : i32
    %w32 = arith.constant 32 : i32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = arith.shrui %thread, %c5 : index
    %c4 = arith.constant 4 : index
    %firstrow = arith.muli %block, %c4 : index
    %row = arith.addi %firstrow, %warp : index
    %row64 = arith.index_cast %row : index to i64
    %lane64 = arith.index_cast %lane : index to i64
    %inside = arith.cmpi ult, %row64, %items : i64
    scf.if %inside {
      %begin = arith.shli %row64, %c7 : i64
      %mine = arith.shli %lane64, %c2 : i64
      %at = arith.addi %begin, %mine : i64
      %from = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v = llvm.load %from {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
      %x = llvm.extractelement %v[%w0 : i32] : vector<4xf32>
      %y = llvm.extractelement %v[%w1 : i32] : vector<4xf32>
      %s0 = arith.addf %x, %y : f32
      %d16 = arith.constant 16 : i32
      %o16, %p16 = gpu.shuffle down %s0, %d16, %w32 : f32
      %s16 = arith.addf %s0, %o16 : f32
      %o1, %p1 = gpu.shuffle down %s16, %w1, %w32 : f32
      %s1 = arith.addf %s16, %o1 : f32
      %sum, %p = gpu.shuffle idx %s1, %w0, %w32 : f32
      %root = math.sqrt %sum : f32
      %q = arith.divf %x, %root : f32
      %f = math.fma %q, %y, %x : f32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %f, %to : f32, !llvm.ptr<1>
    }
    gpu.return
  }
})";

const char SharedText[] = R"(
gpu.module @device {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64}
      : !llvm.array<256 x f32>
  gpu.func @shared(%in: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                   %out: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %extent: i64)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i64
    %c255 = arith.constant 255 : i64
    %j = arith.subi %c255, %i : i64
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %mine = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %other = llvm.getelementptr %tile[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %x = llvm.load %from : !llvm.ptr<1> -> f32
    llvm.store %x, %mine : f32, !llvm.ptr<3>
    gpu.barrier
    %y = llvm.load %other : !llvm.ptr<3> -> f32
    %z = arith.subf %y, %x : f32
    llvm.store %z, %to : f32, !llvm.ptr<1>
    gpu.return
  }
})";

llvm::Expected<std::unique_ptr<llvm::Module>> makeDevice(const std::string &text,
                                                         llvm::LLVMContext &context) {
  MLIRContext mlir;
  mlir.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                   math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &mlir);
  if (!module) return llvm::createStringError("the test's text does not parse");
  if (llvm::Error error = dlm::lowerToNVVM(*module)) return error;
  return dlm::makeDeviceModule(*module, context);
}

llvm::Expected<std::string> makePTX(const std::string &text) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> device = makeDevice(text, context);
  if (!device) return device.takeError();
  return dlm::emitPTX(**device);
}

} // namespace test
