// What a test says that runs NVIDIA's assembler: without it the test is skipped, but fails where CI
// is set.
#pragma once

#include "compiler/codegen/cuda/CudaCodegen.h"

#include <gtest/gtest.h>

#include <cstdlib>

#define DLM_NEED_ASSEMBLER()                                                                       \
  do {                                                                                             \
    llvm::Expected<std::string> found = dlm::findAssembler();                                      \
    if (found) break;                                                                              \
    std::string message = llvm::toString(found.takeError());                                       \
    if (getenv("CI")) FAIL() << message;                                                           \
    GTEST_SKIP() << message;                                                                       \
  } while (false)
