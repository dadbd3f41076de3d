// A phase that fails: what the message says, and that what it names can be read again.
#include "compiler/pipeline/Backend.h"

#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

#include <filesystem>

using namespace mlir;
using namespace dlm;

namespace {

TEST(Phases, AFailureNamesAFileThatReplaysIt) {
  std::string folder = testing::TempDir() + "dlm-phases-test";
  std::filesystem::create_directories(folder);
  MLIRContext context;
  loadBackendDialects(context);
  auto module = parseSourceString<ModuleOp>("func.func private @f()", &context);
  ASSERT_TRUE(module);
  PhaseOptions options;
  options.reproducerFolder = folder;
  Phases phases(options);
  auto work = [&] { // spoils the module before it fails
    for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
      op.erase();
    return module->emitError("no way on");
  };
  Status status =
      phases.runOn(*module, "gpu", "dlm-convert-kernel-to-gpu", work, [] { return ""; });
  std::string path = folder + "/dlmc-gpu-reproducer.mlir";
  for (const std::string &text :
       {std::string("internal error in phase 'gpu'"), std::string("no way on"),
        "dlm-opt --dlm-convert-kernel-to-gpu " + path})
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  auto again = parseSourceFile<ModuleOp>(path, &context);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->lookupSymbol("f")) << "it holds what the phase was given";
  std::filesystem::remove_all(folder);
}

TEST(Phases, WithoutAFolderThereIsStillAMessage) {
  MLIRContext context;
  auto module = parseSourceString<ModuleOp>("module {}", &context);
  PhaseOptions options;
  options.reproducerFolder = "/nowhere at all";
  Phases phases(options);
  Status status = phases.runOn(
      *module, "nvvm", "dlm-lower-to-nvvm", [] { return failure(); }, [] { return ""; });
  EXPECT_EQ(status.message(), "internal error in phase 'nvvm':");
}

} // namespace
