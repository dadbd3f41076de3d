# What `cmake --install` puts into a prefix, which may be moved afterwards: the compiler finds the
# runner beside itself, libraries in ../lib and then where LLVM was at build time. The library of
# the language is inside of the compiler. share/dlm has the shape of the tree, so that the links of
# its pages hold.
#
#   bin/          dlmc dlm-lsp dlm-runner
#   include/dlm/  Embed.h           lib/  its library, and the CMake package `dlm`
#   share/dlm/    README.md LICENSE, and of grammar/, stdlib/, examples/, editors/ what people read
# The paths are in the files that the build makes: installing changes no byte of them, so the build
# id that `dlmc --version` prints is that of the file.
set_target_properties(dlmc dlm-lsp PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
set_target_properties(dlm-embed PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN;${LLVM_LIBRARY_DIR}")
set_target_properties(dlm-runner PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "") # it becomes every compiled program

install(TARGETS dlmc dlm-lsp dlm-runner RUNTIME DESTINATION bin)
install(FILES README.md LICENSE DESTINATION share/dlm)
install(FILES grammar/README.md DESTINATION share/dlm/grammar)
install(DIRECTORY stdlib examples editors DESTINATION share/dlm FILES_MATCHING
  PATTERN "*.dlm" PATTERN "*.md" PATTERN "*.json" PATTERN "*.js" PATTERN "*.cpp"
  PATTERN "CMakeLists.txt")

# The C++ package: find_package(dlm) gives dlm::embed. The file of targets is the whole package.
include(CMakePackageConfigHelpers)
install(TARGETS dlm-embed EXPORT dlm LIBRARY DESTINATION lib INCLUDES DESTINATION include)
install(FILES compiler/embed/Embed.h DESTINATION include/dlm)
install(EXPORT dlm NAMESPACE dlm:: FILE dlmConfig.cmake DESTINATION lib/cmake/dlm)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/dlmConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/dlmConfigVersion.cmake DESTINATION lib/cmake/dlm)
