// Code for GPUs from device code written by hand: what PTX holds, what the exit verifier lets
// through, what the assembler is asked and what is said when it cannot.
#include "test/codegen/DeviceText.h"
#include "test/codegen/NeedAssembler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <gtest/gtest.h>

namespace {

std::string getPTX(const std::string &text) {
  llvm::Expected<std::string> ptx = test::makePTX(text);
  EXPECT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  return ptx ? *ptx : "";
}

/// Why a kernel with this body is refused; empty if it is not.
std::string getFault(const std::string &body, const std::string &declared = "") {
  llvm::Expected<std::string> ptx = test::makePTX(test::makeKernelText(body, declared));
  return ptx ? "" : llvm::toString(ptx.takeError());
}

int count(llvm::StringRef text, llvm::StringRef part) { return int(text.count(part)); }

TEST(CudaCodegen, MakesSixteenByteAccessesOfNeighbours) {
  std::string ptx = getPTX(test::FourNeighboursText);
  EXPECT_EQ(count(ptx, "ld.global.nc.v4") + count(ptx, "ld.global.v4"), 1) << ptx;
  EXPECT_EQ(count(ptx, "st.global.v4"), 1) << ptx;
  EXPECT_EQ(count(ptx, "mul.rn.f32"), 4) << ptx;
  EXPECT_EQ(count(ptx, "add.rn.f32"), 4) << ptx;
  EXPECT_EQ(count(ptx, "fma"), 0) << ptx;
}

TEST(CudaCodegen, FoldsByShuffles) {
  std::string ptx = getPTX(test::RowText);
  EXPECT_EQ(count(ptx, "shfl.sync.down.b32"), 2) << ptx;
  EXPECT_EQ(count(ptx, "shfl.sync.idx.b32"), 1) << ptx;
  EXPECT_EQ(count(ptx, "sqrt.rn.f32"), 1) << ptx;
  EXPECT_EQ(count(ptx, "div.rn.f32"), 1) << ptx;
  EXPECT_EQ(count(ptx, "fma.rn.f32"), 1) << ptx;
}

TEST(CudaCodegen, WaitsAtBarriersAndAlignsSharedMemory) {
  std::string ptx = getPTX(test::SharedText);
  EXPECT_EQ(count(ptx, ".shared .align 16 .b8"), 1) << ptx;
  EXPECT_EQ(count(ptx, "bar"), 1) << ptx;
  EXPECT_EQ(count(ptx, "st.shared.b32") + count(ptx, "st.shared.f32"), 1) << ptx;
}

TEST(CudaCodegen, RoundsEveryOperationByName) {
  const llvm::Regex arithmetic("^\\s*(add|sub|mul|fma|mad|div|rcp|sqrt|rsqrt|ex2|lg2|sin|cos|tanh)"
                               "(\\.[a-z0-9]+)*\\.f(16|32|64)");
  for (const char *text : {test::FourNeighboursText, test::RowText, test::SharedText}) {
    std::string ptx = getPTX(text);
    for (llvm::StringRef line : llvm::split(ptx, '\n'))
      if (arithmetic.match(line)) EXPECT_TRUE(line.contains(".rn.f32")) << line.str();
    for (const char *banned : {".ftz", ".approx", "mad.f32", ".local", "call"})
      EXPECT_EQ(count(ptx, banned), 0) << banned << "\n" << ptx;
  }
}

TEST(CudaCodegen, NamesTheOldestArchitectureAndTheBlockSize) {
  std::string ptx = getPTX(test::SharedText);
  EXPECT_EQ(count(ptx, ".target sm_80"), 1) << ptx;
  EXPECT_EQ(count(ptx, ".maxntid 256"), 1) << ptx;
  EXPECT_EQ(count(ptx, ".visible .entry shared("), 1) << ptx;
}

// What leaves as LLVM IR is named with its fault.

TEST(DeviceExit, RefusesAFastMathFlag) {
  EXPECT_TRUE(llvm::StringRef(getFault(R"(
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = arith.mulf %x, %x fastmath<contract> : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>)"))
                  .starts_with("kernel 'k': instruction has a fast-math flag: "));
}

TEST(DeviceExit, RefusesMathematicsThatWasNotWrittenOut) {
  std::string fault = getFault(R"(
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = math.exp %x : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>)");
  EXPECT_NE(fault.find("would call the C library's mathematics"), std::string::npos) << fault;
  EXPECT_NE(fault.find("llvm.exp.f32"), std::string::npos) << fault;
}

TEST(DeviceExit, RefusesAnApproximateIntrinsic) {
  std::string fault = getFault(R"(
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>)");
  EXPECT_NE(fault.find("not in the list"), std::string::npos) << fault;
  EXPECT_NE(fault.find("llvm.nvvm.sqrt.approx.f"), std::string::npos) << fault;
}

TEST(DeviceExit, RefusesLibraryFunctions) {
  std::string fault = getFault(R"(
    %x = llvm.load %in : !llvm.ptr<1> -> f32
    %y = llvm.call @__nv_expf(%x) : (f32) -> f32
    llvm.store %y, %out : f32, !llvm.ptr<1>)",
                               "llvm.func @__nv_expf(f32) -> f32");
  EXPECT_NE(fault.find("calls what is not an intrinsic"), std::string::npos) << fault;
  EXPECT_NE(fault.find("@__nv_expf"), std::string::npos) << fault;
}

TEST(DeviceExit, RefusesAtomicsAndOtherMemory) {
  std::string fault = getFault(R"(
    %x = arith.constant 1.0 : f32
    %y = llvm.atomicrmw fadd %out, %x monotonic : !llvm.ptr<1>, f32)");
  EXPECT_NE(fault.find("is atomic"), std::string::npos) << fault;
  fault = getFault(R"(
    %p = llvm.load %in : !llvm.ptr<1> -> !llvm.ptr
    %x = arith.constant 1.0 : f32
    llvm.store %x, %p : f32, !llvm.ptr)");
  EXPECT_NE(fault.find("neither global nor shared"), std::string::npos) << fault;
}

TEST(DeviceExit, RefusesAStack) {
  std::string fault = getFault(R"(
    %n = arith.constant 64 : i32
    %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %in : !llvm.ptr<1> -> f32
    llvm.store %x, %q : f32, !llvm.ptr
    %y = llvm.load %p : !llvm.ptr -> f32
    llvm.store %y, %out : f32, !llvm.ptr<1>)");
  EXPECT_NE(fault.find("needs a stack"), std::string::npos) << fault;
}

// The assembler.

TEST(Assembler, AssemblesForEveryDefaultArchitecture) {
  DLM_NEED_ASSEMBLER();
  llvm::Expected<std::vector<dlm::Cubin>> cubins =
      dlm::assembleAll(getPTX(test::SharedText), dlm::DefaultArchitectures);
  ASSERT_TRUE(bool(cubins)) << llvm::toString(cubins.takeError());
  ASSERT_EQ(cubins->size(), dlm::DefaultArchitectures.size());
  for (const dlm::Cubin &cubin : *cubins) {
    EXPECT_EQ(std::string(cubin.bytes.data(), 4), "\x7f"
                                                  "ELF")
        << cubin.architecture;
    ASSERT_EQ(cubin.resources.size(), 1u) << cubin.architecture;
    const dlm::DeviceResources &found = cubin.resources[0];
    EXPECT_EQ(found.function, "shared");
    EXPECT_EQ(found.architecture, cubin.architecture);
    EXPECT_GT(found.registers, 4u);
    EXPECT_EQ(found.spillBytes + found.stackBytes, 0u);
    // What a block uses of its own; sm_90 and newer add what the system reserves.
    EXPECT_GE(found.sharedBytes, 1024u);
  }
}

/// What the gates of DeviceGatesTest rest on.
TEST(Assembler, ReportsSpillsAndStack) {
  DLM_NEED_ASSEMBLER();
  constexpr int Values = 400; // more than a thread has registers
  std::string body;
  auto addAccess = [&](int index, const std::string &access) {
    std::string number = std::to_string(index);
    body += "%p" + access + number + " = llvm.getelementptr %in[" + std::to_string(1000 * index) +
            "] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32\n";
    if (access == "load")
      body += "%x" + number + " = llvm.load volatile %pload" + number + " : !llvm.ptr<1> -> f32\n";
    else
      body += "llvm.store volatile %x" + number + ", %pstore" + number + " : f32, !llvm.ptr<1>\n";
  };
  for (int index = 0; index < Values; ++index)
    addAccess(index, "load");
  body += "gpu.barrier\n";
  for (int index = Values; index-- > 0;)
    addAccess(index, "store");
  llvm::Expected<dlm::Cubin> cubin = dlm::assemble(getPTX(test::makeKernelText(body)), "sm_80");
  ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
  ASSERT_EQ(cubin->resources.size(), 1u);
  EXPECT_GT(cubin->resources[0].stackBytes, 0u);
  EXPECT_GT(cubin->resources[0].spillBytes, 0u);
}

TEST(Assembler, SaysWhichArchitectureItCannotServe) {
  DLM_NEED_ASSEMBLER();
  auto getMessage = [](const char *architecture) {
    llvm::Expected<dlm::Cubin> cubin = dlm::assemble(".version 7.0\n.target sm_80", architecture);
    return cubin ? "" : llvm::toString(cubin.takeError());
  };
  EXPECT_EQ(getMessage("sm_70"),
            "architecture 'sm_70' is too old: device code needs sm_80 or newer");
  EXPECT_EQ(getMessage("volta"),
            "there is no architecture 'volta'; architectures are named as sm_80");
  std::string message = getMessage("sm_999");
  EXPECT_NE(message.find("knows no architecture 'sm_999'"), std::string::npos) << message;
}

TEST(Assembler, PassesOnWhatItDoesNotUnderstand) {
  DLM_NEED_ASSEMBLER();
  llvm::Expected<dlm::Cubin> cubin =
      dlm::assemble(".version 7.0\n.target sm_80\nnonsense", "sm_90");
  ASSERT_FALSE(bool(cubin));
  std::string message = llvm::toString(cubin.takeError());
  EXPECT_NE(message.find("could not assemble device code for 'sm_90'"), std::string::npos);
  EXPECT_NE(message.find("line 3"), std::string::npos) << message;
}

TEST(Assembler, SaysWhatToDoWhenItIsMissing) {
  setenv("DLM_CUDA_ROOT", "/nowhere", 1);
  llvm::Expected<std::string> path = dlm::findAssembler();
  unsetenv("DLM_CUDA_ROOT");
  ASSERT_FALSE(bool(path));
  EXPECT_EQ(llvm::toString(path.takeError()),
            "DLM_CUDA_ROOT is '/nowhere', but there is no '/nowhere/bin/ptxas'");
}

TEST(Assembler, IsNotBelievedWhenItHasMadeNothing) {
  llvm::SmallString<64> root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("dlm-assembler", root));
  std::string bin = (root + "/bin").str(), program = bin + "/ptxas";
  ASSERT_FALSE(llvm::sys::fs::create_directory(bin));
  for (const char *last : {"exit 0", "echo none > \"$2\""}) {
    std::ofstream(program) << "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n" << last << "\n";
    ASSERT_FALSE(llvm::sys::fs::setPermissions(program, llvm::sys::fs::all_all));
    setenv("DLM_CUDA_ROOT", root.c_str(), 1);
    llvm::Expected<dlm::Cubin> cubin = dlm::assemble(".version 7.0\n.target sm_80", "sm_80");
    unsetenv("DLM_CUDA_ROOT");
    ASSERT_FALSE(bool(cubin));
    EXPECT_NE(llvm::toString(cubin.takeError()).find("what it has written is none"),
              std::string::npos);
  }
  llvm::sys::fs::remove_directories(root);
}

} // namespace
