# The elementary functions, their text compiled in.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/Math.mlir)
file(READ ${CMAKE_CURRENT_LIST_DIR}/Math.mlir DLM_MATH_TEXT)
configure_file(${CMAKE_CURRENT_LIST_DIR}/MathText.inc.in
               ${CMAKE_BINARY_DIR}/dialects/dlm/MathText.inc @ONLY)
dlm_library(DlmMathText MLIR SOURCES ${CMAKE_CURRENT_LIST_DIR}/MathText.cpp)
