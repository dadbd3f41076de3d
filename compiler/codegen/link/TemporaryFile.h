// What another program reads or writes for us.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"

#include <vector>

namespace dlm {

/// A file in the temporary folder that goes away at the end.
class TemporaryFile {
public:
  llvm::Error create(llvm::StringRef suffix);
  llvm::Error write(llvm::ArrayRef<char> bytes);
  llvm::Expected<std::vector<char>> read();
  llvm::StringRef getPath() const { return path; }

private:
  llvm::SmallString<64> path;
  llvm::FileRemover remover;
};

} // namespace dlm
