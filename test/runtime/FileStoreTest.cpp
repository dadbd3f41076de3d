// The file store: what is written whole, in order, and what it says when it cannot.
#include "runtime/store/FileStore.h"
#include "runtime/base/FileBytes.h"
#include "test/runtime/FailingCalls.h"
#include "test/runtime/IdxFolder.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dlm;
using namespace dlm::test;

namespace {

Status write(Store &store, const std::string &key, const std::vector<uint8_t> &bytes) {
  return store.write({{key, {{bytes.data(), bytes.size()}}}});
}

TEST(FileStore, KeepsWhatWasWritten) {
  TemporaryFolder folder;
  std::unique_ptr<Store> store = makeFileStore(folder / "a" + "/b/");
  EXPECT_TRUE((*store->list()).empty());
  ASSERT_TRUE(store->prepare().isOk());
  ASSERT_TRUE(write(*store, "two", {2, 2}).isOk());
  ASSERT_TRUE(write(*store, "one", {1}).isOk());
  ASSERT_TRUE(write(*store, "two", {3}).isOk());
  EXPECT_EQ(*store->list(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(*store->read("two"), std::vector<uint8_t>{3});
  EXPECT_EQ(store->sum("two")->sizeBytes, 1u);
  EXPECT_EQ(store->sum("two")->xxh3, xxh3Text("\3", 1));
  ASSERT_TRUE(store->remove("two").isOk());
  EXPECT_EQ(store->read("two").status().code(), Code::NotFound);
  EXPECT_EQ(store->location("one"), folder / "a" + "/b/one");
}

TEST(FileStore, WritesPiecesOneAfterTheOther) {
  TemporaryFolder folder;
  FailingCalls calls;
  calls.bytesAtOnce = 1;
  std::unique_ptr<Store> store = makeFileStore(folder.path, calls);
  ASSERT_TRUE(store->write({{"a", {{"xyz", 3}, {"", 0}, {"uv", 2}}}, {"b", {}}}).isOk());
  EXPECT_EQ(*store->read("a"), (std::vector<uint8_t>{'x', 'y', 'z', 'u', 'v'}));
  EXPECT_TRUE(store->read("b")->empty());
}

TEST(FileStore, TheLastBlobIsThereOnlyIfTheOthersAre) {
  for (int call = 0;; ++call) {
    TemporaryFolder folder;
    FailingCalls calls;
    std::unique_ptr<Store> store = makeFileStore(folder.path, calls);
    calls.failFrom(call, ENOSPC);
    Status status = store->write({{"a", {{"xyz", 3}}}, {"b", {{"uv", 2}}}});
    std::vector<std::string> keys = *store->list();
    EXPECT_TRUE(keys.size() != 1 || keys[0] == "a") << call;
    if (!calls.hasFailed()) break;
    EXPECT_EQ(status.code(), Code::NoSpace) << status.message();
    EXPECT_NE(status.message().find(folder.path), std::string::npos) << status.message();
  }
}

TEST(FileStore, AFailureLeavesNoUnfinishedFile) {
  TemporaryFolder folder;
  FailingCalls calls;
  std::unique_ptr<Store> store = makeFileStore(folder.path, calls);
  ASSERT_TRUE(write(*store, "a", {1}).isOk());
  for (int call = 0;; ++call) {
    calls.failOnce(call, EIO);
    Status status = write(*store, "a", {2});
    if (!calls.hasFailed()) break;
    if (!status.isOk())
      EXPECT_NE(access((folder / "being-written-0.tmp").c_str(), F_OK), 0) << call;
  }
  EXPECT_EQ(*store->read("a"), std::vector<uint8_t>{2});
}

TEST(FileStore, P23_TellsThatThereIsNoRoom) {
  TemporaryFolder folder;
  FailingCalls calls;
  std::unique_ptr<Store> store = makeFileStore(folder.path, calls);
  ASSERT_TRUE(store->prepare().isOk());
  EXPECT_TRUE(store->tryRoom(1000).isOk());
  calls.failOnce(1, EDQUOT);
  Status status = store->tryRoom(1000);
  EXPECT_EQ(status.code(), Code::NoSpace);
  EXPECT_NE(status.message().find("1000 bytes"), std::string::npos) << status.message();
  calls.failOnce(1, EOPNOTSUPP); // a file system that cannot tell
  EXPECT_TRUE(store->tryRoom(1000).isOk());
  EXPECT_NE(access((folder / "being-written-0.tmp").c_str(), F_OK), 0);
}

TEST(FileStore, HidesWritesThatWereCutOff) {
  TemporaryFolder folder;
  writeTestFile(folder / "x.tmp", {1});
  std::unique_ptr<Store> store = makeFileStore(folder.path);
  EXPECT_TRUE((*store->list()).empty());
}

TEST(FileStore, SaysWhyItCannotBeUsed) {
  TemporaryFolder folder;
  writeTestFile(folder / "file", {1});
  Status status = makeFileStore(folder / "file")->prepare();
  EXPECT_NE(status.message().find("Not a directory"), std::string::npos) << status.message();
  EXPECT_FALSE(makeFileStore(folder / "file" + "/below")->prepare().isOk());
  EXPECT_FALSE(makeFileStore("/proc/none")->prepare().isOk());
}

TEST(FileStore, ForsakesTheEmptyFoldersThatItMade) {
  TemporaryFolder folder;
  auto isThere = [](const std::string &path) { return access(path.c_str(), F_OK) == 0; };
  std::string made = folder / "a", inner = made + "/b";
  std::unique_ptr<Store> store = makeFileStore(inner);
  ASSERT_TRUE(store->prepare().isOk());
  ASSERT_TRUE(isThere(inner));
  store->forsake();
  EXPECT_FALSE(isThere(made));
  store = makeFileStore(inner);
  ASSERT_TRUE(store->prepare().isOk());
  ASSERT_TRUE(write(*store, "x", {1}).isOk());
  store->forsake();
  EXPECT_TRUE(isThere(inner + "/x"));
  store = makeFileStore(made); // which is not of this one
  ASSERT_TRUE(store->remove("none").code() != Code::Ok);
  ASSERT_TRUE(store->prepare().isOk());
  store->forsake();
  EXPECT_TRUE(isThere(made));
}

TEST(FileStore, HasOneWriter) {
  TemporaryFolder folder;
  std::unique_ptr<Store> first = makeFileStore(folder.path), second = makeFileStore(folder.path);
  ASSERT_TRUE(first->prepare().isOk());
  ASSERT_TRUE(write(*first, "one", {1}).isOk());
  Status status = second->prepare();
  EXPECT_NE(status.message().find("another run"), std::string::npos) << status.message();
  EXPECT_EQ(*second->list(), std::vector<std::string>{"one"});
  first.reset();
  EXPECT_TRUE(second->prepare().isOk());
}

TEST(Xxh3, IsThePublishedSum) {
  EXPECT_EQ(xxh3Text("", 0), "2d06800538d394c2");
  Xxh3 pieces;
  std::string text(1000, 'x');
  pieces.add(text.data(), 1);
  pieces.add(text.data(), 998);
  pieces.add(text.data(), 1);
  EXPECT_EQ(pieces.text(), xxh3Text(text.data(), text.size()));
}

TEST(Xxh3, SumsFiles) {
  TemporaryFolder folder;
  std::vector<uint8_t> bytes(3000000);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(i * 2654435761u >> 24);
  writeTestFile(folder / "file", bytes);
  Expected<FileSum> sum = sumFile(folder / "file", UINT64_MAX);
  ASSERT_TRUE(sum.isOk());
  EXPECT_EQ(sum->sizeBytes, bytes.size());
  EXPECT_EQ(sum->xxh3, xxh3Text(bytes.data(), bytes.size()));
  // Of large files only parts are read: the ends always.
  std::string large = folder / "large";
  writeTestFile(large, {1});
  ASSERT_EQ(truncate(large.c_str(), off_t(300) << 20), 0);
  std::string before = sumFile(large, 0)->xxh3;
  EXPECT_EQ(sumFile(large, 0)->xxh3, before);
  std::FILE *file = std::fopen(large.c_str(), "r+");
  std::fseek(file, -1, SEEK_END);
  std::fputc(7, file);
  std::fclose(file);
  EXPECT_NE(sumFile(large, 0)->xxh3, before);
  EXPECT_FALSE(sumFile(folder.path, 0).isOk());
  EXPECT_EQ(sumFile(folder / "none", 0).status().code(), Code::NotFound);
}

} // namespace
