// Thin over LLVM's file functions; the errors name the file.
#include "compiler/codegen/link/TemporaryFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace dlm {

llvm::Error TemporaryFile::create(llvm::StringRef suffix) {
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("dlm-kernels", suffix, path))
    return llvm::createStringError(error, "cannot create a temporary file for kernels");
  remover.setFile(path);
  return llvm::Error::success();
}

llvm::Error TemporaryFile::write(llvm::ArrayRef<char> bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  stream << llvm::StringRef(bytes.data(), bytes.size());
  stream.close();
  if (stream.has_error()) {
    error = stream.error();
    stream.clear_error();
  }
  if (error) return llvm::createStringError(error, "cannot write '" + path.str() + "'");
  return llvm::Error::success();
}

llvm::Expected<std::vector<char>> TemporaryFile::read() {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read '" + path.str() + "'");
  return std::vector<char>((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
}

} // namespace dlm
