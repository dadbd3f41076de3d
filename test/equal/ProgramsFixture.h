// Where tests of whole programs take them from.
#pragma once

#include "compiler/pipeline/Backend.h"
#include "test/equal/RandomProgram.h"

#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

namespace dlm::test {

class ProgramsFixture : public testing::Test {
protected:
  ProgramsFixture() { loadBackendDialects(context); }

  /// One of the folder `programs`.
  mlir::OwningOpRef<mlir::ModuleOp> file(const std::string &name) {
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(DLM_TEST_PROGRAMS "/" + name, &context);
    EXPECT_TRUE(module) << name;
    return module;
  }

  mlir::OwningOpRef<mlir::ModuleOp> random(uint32_t seed, unsigned opCount) {
    std::string text = randomProgram(seed, opCount);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  mlir::MLIRContext context;
};

} // namespace dlm::test
