// What is remembered of files, and what is not.
#include "compiler/sema/data/FileMemory.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dlm::sema {

namespace {

namespace fs = std::filesystem;

/// A clock that a test sets, ahead of the machine's.
class ShiftedClock : public Clock {
public:
  int64_t monotonicNs() override { return 0; }
  int64_t wallNs() override { return systemClock().wallNs() + aheadNs; }
  void sleepUntil(int64_t) override {}

  int64_t aheadNs = int64_t(100) * 1000000000;
};

class FileMemoryTest : public testing::Test {
protected:
  FileMemoryTest() : memory(clock) {
    char name[] = "/tmp/dlm-memory-XXXXXX";
    folder = mkdtemp(name);
  }
  ~FileMemoryTest() override { fs::remove_all(folder); }

  std::string write(const std::string &name, const std::string &text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }

  /// The content of the files, by way of the memory.
  std::string ask(const std::vector<std::string> &files, const std::string &question = "all") {
    return memory.recall<std::string>(question, files, [&] {
      std::string all;
      for (const std::string &path : files)
        all += std::string(std::istreambuf_iterator<char>(std::ifstream(path).rdbuf()), {}) + ";";
      return all;
    });
  }

  ShiftedClock clock;
  FileMemory memory;
  fs::path folder;
};

TEST_F(FileMemoryTest, AnswersAgainWithoutReading) {
  std::string a = write("a", "1"), b = write("b", "2");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(ask({a, b}), "1;2;");
  EXPECT_EQ(memory.readCount(), 1);
  EXPECT_EQ(ask({a}), "1;");
  EXPECT_EQ(ask({a, b}, "another question"), "1;2;");
  EXPECT_EQ(ask({a, b}), "1;2;");
  EXPECT_EQ(memory.readCount(), 3);
}

TEST_F(FileMemoryTest, ReadsWhatHasChangedToTheSameSizeInTheSameSecond) {
  std::string a = write("a", "1");
  fs::file_time_type start = fs::last_write_time(a);
  for (int i = 0; i < 50; ++i) {
    std::string text = std::to_string(i % 10);
    write("a", text);
    fs::last_write_time(a, start + std::chrono::nanoseconds(i));
    EXPECT_EQ(ask({a}), text + ";");
  }
  EXPECT_EQ(memory.readCount(), 50);
}

TEST_F(FileMemoryTest, ReadsAFileThatTookThePlaceOfAnother) {
  std::string a = write("a", "1"), b = write("b", "2");
  fs::last_write_time(b, fs::last_write_time(a));
  EXPECT_EQ(ask({a}), "1;");
  fs::rename(b, a);
  EXPECT_EQ(ask({a}), "2;");
}

TEST_F(FileMemoryTest, DoesNotTrustAFileThatWasJustWritten) {
  clock.aheadNs = 0;
  std::string a = write("a", "1");
  EXPECT_EQ(ask({a}), "1;");
  EXPECT_EQ(ask({a}), "1;");
  EXPECT_EQ(memory.readCount(), 2);
}

TEST_F(FileMemoryTest, RemembersNothingOfFilesThatAreNotThere) {
  std::string a = (folder / "a").string();
  EXPECT_EQ(ask({a}), ";");
  write("a", "1");
  EXPECT_EQ(ask({a}), "1;");
  EXPECT_EQ(ask({}), "");
  EXPECT_EQ(ask({}), "");
  EXPECT_EQ(memory.readCount(), 4);
  fs::remove(a);
  EXPECT_EQ(ask({a}), ";");
}

TEST_F(FileMemoryTest, ForgetsWhatWasNotAskedForLongest) {
  std::string a = write("a", "1");
  for (int i = 0; i < 100; ++i) {
    ask({a}, std::to_string(i));
    ask({a}, "0");
  }
  EXPECT_EQ(memory.readCount(), 100);
  ask({a}, "99");
  EXPECT_EQ(memory.readCount(), 100);
  ask({a}, "1");
  EXPECT_EQ(memory.readCount(), 101);
}

} // namespace

} // namespace dlm::sema
