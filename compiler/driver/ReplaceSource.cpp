// By way of a new file beside it, so that a full disk or a fault leaves the old text. As a rename
// does not ask whether the old file may be written, that is asked here, also for root.

#include "compiler/driver/ReplaceSource.h"

#include "runtime/base/FileBytes.h"

#include <llvm/Support/FileSystem.h>

#include <filesystem>

namespace dlm {

namespace fs = std::filesystem;

/// Writes a new file beside `target` and renames it.
static Status replaceFile(const fs::path &target, fs::perms permissions, const std::string &text) {
  llvm::SmallString<256> fresh;
  fs::path pattern = target.parent_path() / ("." + target.filename().string() + "-%%%%%%");
  std::error_code error = llvm::sys::fs::createUniqueFile(pattern.string(), fresh);
  if (error) return Status::error(Code::Io, error.message());
  std::string name = fresh.str().str();
  Status status = writeFileBytes(name, std::vector<uint8_t>(text.begin(), text.end()));
  if (status.isOk()) fs::permissions(name, permissions, error);
  if (status.isOk() && !error) fs::rename(name, target, error);
  if (status.isOk() && error) status = Status::error(Code::Io, error.message());
  std::error_code ignored;
  if (!status.isOk()) fs::remove(name, ignored);
  return status;
}

Status replaceSource(const std::string &path, const std::string &text) {
  constexpr fs::perms anyWrite =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  fs::file_status found = error ? fs::file_status() : fs::status(target, error);
  Status status;
  if (error)
    status = Status::error(Code::Io, error.message());
  else if (!fs::is_regular_file(found))
    status = Status::error(Code::InvalidArgument, "it is not a file");
  else if ((found.permissions() & anyWrite) == fs::perms::none)
    status = Status::error(Code::Io, "it is read-only");
  else
    status = replaceFile(target, found.permissions(), text);
  return status.withContext("cannot write " + path);
}

} // namespace dlm
