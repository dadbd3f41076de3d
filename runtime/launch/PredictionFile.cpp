#include "runtime/launch/PredictionFile.h"

#include "runtime/base/StandardStreams.h"

#include <cerrno>
#include <filesystem>

namespace dlm {

namespace {

namespace fs = std::filesystem;

constexpr size_t PieceBytes = size_t(64) << 10;

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether a file is one that holds data: the path itself, or an array in its folder.
bool isOfData(const std::string &file, const std::string &data) {
  std::error_code error; // without one of the two there is nothing to spoil
  if (fs::equivalent(file, data, error)) return true;
  fs::path inFolder = fs::path(data) / fs::path(file).filename();
  return endsWith(file, ".npy") && fs::equivalent(file, inFolder, error);
}

} // namespace

PredictionFile::~PredictionFile() {
  if (collected) std::fclose(collected);
}

Status PredictionFile::open(const std::vector<std::string> &data) {
  theForm = line.json ? PredictionForm::Json : PredictionForm::Csv;
  if (!line.to) return Status::ok();
  const std::string &to = *line.to;
  if (endsWith(to, ".jsonl"))
    theForm = PredictionForm::Json;
  else if (endsWith(to, ".npy"))
    theForm = PredictionForm::Npy;
  else if (endsWith(to, ".csv"))
    theForm = PredictionForm::Csv;
  else
    return invalidArgument("--to of `predict` is a file that ends in .csv, .jsonl or .npy, not `" +
                           to + "`");
  if (line.json && theForm != PredictionForm::Json)
    return invalidArgument("--json writes JSON lines, and `" + to + "` is none: name it .jsonl");
  for (const std::string &path : data)
    if (isOfData(behindLinks(to), path))
      return invalidArgument("--to `" + to + "` holds data that this program reads, and would be " +
                             "overwritten: name another file");
  Expected<FreshFile> created = FreshFile::create(to);
  if (!created) return created.status();
  fresh.emplace(created.take());
  return Status::ok();
}

Status PredictionFile::collect() {
  if (fresh) return Status::ok();
  collected = std::tmpfile();
  if (!collected) return systemError("cannot make a temporary file for the predictions", errno);
  return Status::ok();
}

bool PredictionFile::isUnwanted() const {
  return !fresh && !collected && arrivalOf(out) == Arrival::Unwanted;
}

Status PredictionFile::check() const {
  if (fresh) return fresh->check();
  if (isUnwanted()) return Status::error(Code::Interrupted, "nobody reads the predictions");
  if (!std::ferror(stream())) return Status::ok();
  return systemError(collected ? "cannot write the predictions to a temporary file"
                               : "cannot write the predictions to the standard output",
                     errno ? errno : EIO);
}

Status PredictionFile::close() {
  if (fresh) return fresh->finish();
  if (!collected) return Status::ok(); // whoever runs commands looks at standard output
  if (std::fflush(collected) != 0 || std::fseek(collected, 0, SEEK_SET) != 0)
    return systemError("cannot write the predictions to a temporary file", errno);
  std::vector<char> piece(PieceBytes);
  size_t count = 0;
  while ((count = std::fread(piece.data(), 1, piece.size(), collected)) > 0)
    if (std::fwrite(piece.data(), 1, count, out) != count) return Status::ok();
  return std::ferror(collected) ? systemError("cannot read the predictions back", errno)
                                : Status::ok();
}

} // namespace dlm
