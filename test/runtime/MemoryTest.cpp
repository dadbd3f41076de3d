// What is known of memory before it is taken.
#include "runtime/launch/MemoryCheck.h"
#include "test/runtime/HandMadeMlp.h"
#include "test/runtime/IdxFolder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace dlm;
using namespace dlm::test;

namespace {

/// The files in which Linux tells of memory, in a folder.
class MemoryFiles : public testing::Test {
protected:
  void write(const std::string &name, const std::string &text) {
    for (size_t slash = name.find('/', 1); slash != std::string::npos;
         slash = name.find('/', slash + 1))
      mkdir((root.path + name.substr(0, slash)).c_str(), 0777);
    writeTestFile(root.path + name, {text.begin(), text.end()});
  }
  std::string available() {
    std::optional<AvailableMemory> memory = availableMemory(root.path);
    return memory ? std::to_string(memory->bytes) + " " + memory->of : "unknown";
  }

  TemporaryFolder root;
};

TEST_F(MemoryFiles, SayWhatTheMachineHas) {
  EXPECT_EQ(available(), "unknown");
  write("/proc/meminfo", "MemTotal:       100 kB\nMemAvailable:    50 kB\nSwapFree:   3 kB\n");
  EXPECT_EQ(available(), "54272 this machine");
}

TEST_F(MemoryFiles, SayWhatAControlGroupLeaves) {
  write("/proc/meminfo", "MemAvailable:    50 kB\n");
  write("/proc/self/cgroup", "0::/jobs/this\n");
  write("/sys/fs/cgroup/jobs/this/memory.max", "max\n");
  write("/sys/fs/cgroup/jobs/this/memory.current", "10000\n");
  EXPECT_EQ(available(), "51200 this machine");
  write("/sys/fs/cgroup/jobs/memory.max", "20000\n");
  write("/sys/fs/cgroup/jobs/memory.current", "15000\n");
  write("/sys/fs/cgroup/jobs/memory.stat", "anon 9\ninactive_file 3000\n");
  EXPECT_EQ(available(), "8000 this container (cgroup)");
  write("/proc/self/cgroup", "5:cpu:/\n4:memory:/jobs\n");
  EXPECT_EQ(available(), "51200 this machine");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
  EXPECT_EQ(available(), "0 this container (cgroup)");
}

TEST(MemoryCheck, NamesWhatIsNeededAndWhatNeedsLess) {
  TemporaryFolder folder;
  MlpShape shape;
  HandMadePlan made = makeMlpPlan(shape, folder.path, folder / "run", 1000, 0, 0);
  std::vector<uint8_t> bytes = made.bytes();
  const plan::Plan &plan = *plan::GetPlan(bytes.data());
  DataSpec spec;
  spec.name = "books";
  spec.kind = "text";
  spec.fields = {{"ids", DType::I32, {1000}}};
  spec.counts[0] = 1000000;
  EXPECT_TRUE(checkMemory(plan, spec, std::nullopt).isOk());
  EXPECT_TRUE(checkMemory(plan, spec, AvailableMemory{uint64_t(1) << 40, ""}).isOk());
  std::string text =
      checkMemory(plan, spec, AvailableMemory{1 << 30, "this container (cgroup)"}).message();
  EXPECT_NE(text.find("GiB of it for the samples of `books`, and this container (cgroup) leaves it "
                      "1.0 GiB. `dlmc pack` makes token files of texts"),
            std::string::npos)
      << text;
  spec.counts[0] = 1;
  text = checkMemory(plan, spec, AvailableMemory{1, "this machine"}).message();
  EXPECT_NE(text.find("`info` lists what takes most"), std::string::npos) << text;
}

} // namespace
