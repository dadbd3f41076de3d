// Code generation from modules in the `llvm` dialect: what the exit verifier and the linker let
// through.
#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/link/KernelLinker.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

llvm::Expected<std::vector<char>> compile(const std::string &body,
                                          const std::string &declared = "") {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  auto module = parseSourceString<ModuleOp>(
      declared + "llvm.func @k(%ctx: !llvm.ptr, %x: !llvm.ptr, %begin: i64, %end: i64) {\n" + body +
          "\nllvm.return }",
      &context);
  if (!module) return llvm::createStringError("the test's text does not parse");
  return dlm::emitObject(*module, {"x86-64-v3"});
}

std::string getFault(const std::string &body, const std::string &declared = "") {
  llvm::Expected<std::vector<char>> object = compile(body, declared);
  return object ? "" : llvm::toString(object.takeError());
}

const char LoadStore[] = "%v = llvm.load %x : !llvm.ptr -> f32\n";

TEST(CpuCodegen, EmitsAnObjectThatLinksWithoutAnything) {
  llvm::Expected<std::vector<char>> object =
      compile(std::string(LoadStore) + "%w = llvm.fadd %v, %v : f32\n"
                                       "llvm.store %w, %x : f32, !llvm.ptr");
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  llvm::Expected<dlm::Bytes> shared = dlm::linkKernels({*object});
  ASSERT_TRUE(bool(shared)) << llvm::toString(shared.takeError());
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(shared->data(), shared->size()), "kernels"));
  ASSERT_TRUE(bool(file));
  auto *elf = llvm::cast<llvm::object::ELFObjectFileBase>(file->get());
  bool hasKernel = false;
  for (const llvm::object::ELFSymbolRef &symbol : elf->getDynamicSymbolIterators()) {
    EXPECT_FALSE(*symbol.getFlags() & llvm::object::SymbolRef::SF_Undefined);
    hasKernel |= *symbol.getName() == "k";
  }
  EXPECT_TRUE(hasKernel);
}

TEST(CpuCodegen, NamesACpuItCannotServe) {
  MLIRContext context;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  auto getMessage = [&](const char *cpu) {
    llvm::Expected<std::vector<char>> object = dlm::emitObject(*module, {cpu});
    return object ? "" : llvm::toString(object.takeError());
  };
  EXPECT_EQ(getMessage("x86-64-v2"),
            "CPU 'x86-64-v2' lacks AVX2 or FMA; kernels need at least x86-64-v3");
  EXPECT_EQ(getMessage("abacus"), "there is no CPU named 'abacus'");
}

TEST(CpuCodegen, RejectsFastMathFlags) {
  std::string fault = getFault(std::string(LoadStore) + "%w = llvm.fadd %v, %v {fastmathFlags = "
                                                        "#llvm.fastmath<contract>} : f32\n"
                                                        "llvm.store %w, %x : f32, !llvm.ptr");
  EXPECT_NE(fault.find("kernel 'k': instruction has a fast-math flag"), std::string::npos) << fault;
}

TEST(CpuCodegen, RejectsFusionLeftToTheTarget) {
  std::string fault = getFault(std::string(LoadStore) +
                               "%w = llvm.intr.fmuladd(%v, %v, %v) : (f32, f32, f32) -> f32\n"
                               "llvm.store %w, %x : f32, !llvm.ptr");
  EXPECT_NE(fault.find("leaves the order of roundings open"), std::string::npos) << fault;
}

TEST(CpuCodegen, RejectsCalls) {
  std::string fault = getFault("llvm.call @outside() : () -> ()", "llvm.func @outside()\n");
  EXPECT_NE(fault.find("calls what is not an intrinsic"), std::string::npos) << fault;
}

TEST(CpuCodegen, RejectsLibraryMathematics) {
  std::string fault = getFault(std::string(LoadStore) + "%w = llvm.intr.exp(%v) : (f32) -> f32\n"
                                                        "llvm.store %w, %x : f32, !llvm.ptr");
  EXPECT_NE(fault.find("would call the C library's mathematics"), std::string::npos) << fault;
}

TEST(CpuCodegen, RejectsMemoryIntrinsics) {
  std::string fault = getFault("\"llvm.intr.memcpy\"(%ctx, %x, %begin) <{isVolatile = false}> : "
                               "(!llvm.ptr, !llvm.ptr, i64) -> ()");
  EXPECT_NE(fault.find("would call the C library"), std::string::npos) << fault;
}

TEST(KernelLinker, RejectsWhatIsNoObject) {
  llvm::Expected<dlm::Bytes> shared = dlm::linkKernels({dlm::Bytes{'n', 'o'}});
  ASSERT_FALSE(bool(shared));
  EXPECT_NE(llvm::toString(shared.takeError()).find("could not link the kernels"),
            std::string::npos);
}

} // namespace
