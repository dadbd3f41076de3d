// What was read of data files, remembered as long as they stay as they are: a program is checked in
// several passes, and by an editor at every stroke of a key, and its data may take seconds to read.
#pragma once

#include "runtime/base/Clock.h"

#include <any>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <vector>

namespace dlm::sema {

/// How a file looks from outside; another one after every change of it.
struct FileStamp {
  uint64_t device = 0, inode = 0, sizeBytes = 0;
  int64_t modifiedNs = 0, changedNs = 0;
};
bool operator==(const FileStamp &a, const FileStamp &b);

class FileMemory {
public:
  explicit FileMemory(Clock &clock = systemClock()) : clock(clock) {}

  /// What `read` gives, which depends on the content of `files` and on what `question` says, all of
  /// it, and on nothing else; failures are answers too. It is called if no file has been asked
  /// about like this, or one of them has changed since. Answers are copied, and of one type for a
  /// question.
  template <class Answer>
  Answer recall(const std::string &question, const std::vector<std::string> &files,
                const std::function<Answer()> &read) {
    std::any answer = recallAny(question, files, [&] { return std::any(read()); });
    return std::any_cast<Answer>(std::move(answer));
  }

  /// How often something had to be read.
  int64_t readCount() const;

private:
  struct Entry {
    std::string question;
    std::vector<std::string> files;
    std::vector<FileStamp> stamps;
    std::any answer;
  };
  std::any recallAny(const std::string &question, const std::vector<std::string> &files,
                     const std::function<std::any()> &read);

  Clock &clock;
  mutable std::mutex mutex;
  std::list<Entry> entries; // the one that was asked for last in front
  int64_t reads = 0;
};

/// That of this process.
FileMemory &fileMemory();

} // namespace dlm::sema
