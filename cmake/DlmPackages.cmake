# Everything the build takes from the system. tools/setup installs it; see tools/README.md.
set(DLM_LLVM_ROOT /usr/lib/llvm-22 CACHE PATH "Where LLVM and MLIR 22.1 are installed")
find_package(MLIR 22.1 REQUIRED CONFIG HINTS ${DLM_LLVM_ROOT}/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})       # where generated documentation would go
set(LLVM_EXTERNAL_LIT ${DLM_LLVM_ROOT}/bin/lit) # the default names a file Debian does not ship
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(GTest REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(DLM_XXHASH_INCLUDE xxhash.h REQUIRED) # the header is the whole library
find_program(DLM_FLATC flatc REQUIRED)
find_program(DLM_ANTLR antlr4 REQUIRED)
find_path(DLM_ANTLR_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(DLM_ANTLR_LIBRARY antlr4-runtime REQUIRED)

enable_testing()
