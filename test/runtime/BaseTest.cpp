// Status, Expected, clocks, whole files.
#include "runtime/base/Clock.h"
#include "runtime/base/DType.h"
#include "runtime/base/FileBytes.h"

#include <cerrno>
#include <gtest/gtest.h>

using namespace dlm;

TEST(Status, GathersContextOnTheWayUp) {
  Status status = notFound("no key `a`").withContext("reading step 3").withContext("resume");
  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.code(), Code::NotFound);
  EXPECT_EQ(status.message(), "resume: reading step 3: no key `a`");
  EXPECT_NE(status.origin().find("BaseTest.cpp:"), std::string::npos);
}

TEST(Status, OkStaysOkUnderContext) {
  EXPECT_TRUE(Status::ok().withContext("anything").isOk());
  EXPECT_EQ(Status::ok().message(), "");
}

TEST(Status, FullDiskHasItsOwnCode) {
  EXPECT_EQ(systemError("write", ENOSPC).code(), Code::NoSpace);
  EXPECT_EQ(systemError("open", ENOENT).code(), Code::NotFound);
  EXPECT_EQ(systemError("read", EIO).code(), Code::Io);
}

TEST(Expected, HoldsAValueOrAFailure) {
  Expected<std::string> value = std::string("x");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->size(), 1u);
  Expected<std::string> failure = corrupt("no");
  EXPECT_FALSE(failure);
  EXPECT_EQ(failure.status().message(), "no");
}

TEST(Expected, UsingTheValueOfAFailureEndsTheProcess) {
  Expected<int> failure = corrupt("no");
  EXPECT_DEATH((void)*failure, "value of a failed Expected");
}

TEST(DType, NamesRoundTrip) {
  for (unsigned i = 0; i < 8; ++i) {
    DType dtype;
    ASSERT_TRUE(dtypeFromName(dtypeName(DType(i)), dtype));
    EXPECT_EQ(unsigned(dtype), i);
  }
  DType dtype;
  EXPECT_FALSE(dtypeFromName("F8", dtype));
}

TEST(Clock, SleepsUntilTheDeadline) {
  Clock &clock = systemClock();
  int64_t deadline = clock.monotonicNs() + 1000000;
  clock.sleepUntil(deadline);
  EXPECT_GE(clock.monotonicNs(), deadline);
  EXPECT_GT(clock.wallNs(), int64_t(1600000000) * 1000000000);
}

TEST(FileBytes, RoundTripsAndNamesTheMissingFile) {
  std::string path = testing::TempDir() + "dlm-file-bytes";
  std::vector<uint8_t> bytes{1, 2, 0, 255};
  ASSERT_TRUE(writeFileBytes(path, bytes).isOk());
  Expected<std::vector<uint8_t>> back = readFileBytes(path);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, bytes);
  Status missing = readFileBytes(path + "-not").status();
  EXPECT_EQ(missing.code(), Code::NotFound);
  EXPECT_NE(missing.message().find("dlm-file-bytes-not"), std::string::npos);
  EXPECT_FALSE(readFileBytes(testing::TempDir()));
}
