# The GPU's driver: the classes over its table, and the emulated driver.
dlm_gtest(RuntimeDeviceTest
  SOURCES CudaDeviceTest.cpp EmulatedDriverTest.cpp EmulatedGraphTest.cpp LINK DlmEmulatedDriver)
target_compile_definitions(RuntimeDeviceTest PRIVATE
  DLM_SAMPLE_KERNELS="$<TARGET_FILE:SampleKernels>")
add_dependencies(RuntimeDeviceTest SampleKernels)

# Device code by hand, as three shared objects.
function(dlm_emulated_sample name definition macro)
  add_library(${name} MODULE EmulatedSample.cpp)
  target_link_libraries(${name} PRIVATE DlmFlags)
  target_compile_definitions(${name} PRIVATE ${definition})
  target_compile_definitions(RuntimeDeviceTest PRIVATE ${macro}="$<TARGET_FILE:${name}>")
  add_dependencies(RuntimeDeviceTest ${name})
endfunction()
dlm_emulated_sample(EmulatedSample DLM_SAMPLE DLM_SAMPLE_IMAGE)
dlm_emulated_sample(EmulatedSampleChecked DLM_SAMPLE_CHECKED DLM_SAMPLE_CHECKED_IMAGE)
dlm_emulated_sample(EmulatedSampleOld DLM_SAMPLE_ABI=0 DLM_SAMPLE_OLD_IMAGE)
