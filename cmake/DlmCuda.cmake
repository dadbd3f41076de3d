# NVIDIA's headers, for tests only: nothing of CUDA is needed to build or to run the compiler. The
# order is that in which the compiler looks for the assembler.
#
#   dlm_cuda_gtest(NAME ...)    a test that includes such a header; as dlm_gtest
#
# Without the headers such a test is skipped with a word on what to do, and fails where CI is set.
set(DLM_CACHE_ROOT $ENV{XDG_CACHE_HOME})
if(NOT DLM_CACHE_ROOT)
  set(DLM_CACHE_ROOT $ENV{HOME}/.cache)
endif()
find_path(DLM_CUDA_INCLUDE cuda_occupancy.h NO_DEFAULT_PATH
  PATHS $ENV{DLM_CUDA_ROOT}/include /usr/local/cuda/include
        ${DLM_CACHE_ROOT}/dlm/cuda/nvidia/cu13/include
  DOC "Where cuda.h and cuda_occupancy.h are")

function(dlm_cuda_gtest name)
  if(DLM_CUDA_INCLUDE)
    dlm_gtest(${name} ${ARGN})
    target_include_directories(${name} SYSTEM PRIVATE ${DLM_CUDA_INCLUDE})
  else()
    add_test(NAME ${name} COMMAND sh -c
      "echo '${name} needs CUDA headers; run: tools/setup --cuda'
       [ -n \"$CI\" ] && exit 1; exit 77")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endfunction()
