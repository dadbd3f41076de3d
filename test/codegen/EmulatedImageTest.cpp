// What an emulated image holds, and that each thing a GPU has does on the host what PTX says.
#include "test/codegen/EmulatedDevice.h"

#include <cmath>
#include <gtest/gtest.h>

using dlm::emulator::Fault;
using dlm::emulator::Order;

namespace {

std::vector<float> countUp(size_t count) {
  std::vector<float> values(count);
  for (size_t index = 0; index < count; ++index)
    values[index] = float(index);
  return values;
}

/// Runs a kernel of (input, output) for one block and returns the output.
template <class T>
std::vector<T> runBlock(const std::string &body, std::vector<T> input, uint32_t block,
                        bool checked = true) {
  auto device = EmulatedDevice::create(body, checked);
  if (!device) return {};
  T *from = device->upload(input), *to = device->upload(input);
  EXPECT_TRUE(device->launch("k", 1, block, {asParameter(from), asParameter(to)}));
  for (const auto &finding : device->report.findings)
    ADD_FAILURE() << finding.message;
  return std::vector<T>(to, to + input.size());
}

/// A kernel in which `%v` is the thread's input value and `%r` becomes its output.
std::string makeElementwise(const std::string &type, const std::string &code,
                            const std::string &declared = "") {
  return declared + R"(
define ptx_kernel void @k(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr )" +
         type + R"(, ptr addrspace(1) %from, i64 %i
  %q = getelementptr )" +
         type + R"(, ptr addrspace(1) %to, i64 %i
  %v = load )" +
         type + ", ptr addrspace(1) %p\n" + code + "\n  store " + type +
         " %r, ptr addrspace(1) %q\n  ret void\n}\n";
}

TEST(EmulatedImage, TablesTellOfFunctionsParametersAndSharedMemory) {
  auto device = EmulatedDevice::create(R"(
@wide = internal addrspace(3) global [8 x float] undef, align 16
@odd = internal addrspace(3) global [3 x i8] undef, align 1
@plain = internal addrspace(3) global [5 x float] undef, align 4
@unused = internal addrspace(3) global [5 x float] undef, align 4
define ptx_kernel void @first(ptr addrspace(1) %x, i64 %n, i32 %m) "nvvm.maxntid"="64,2" {
  store <4 x float> zeroinitializer, ptr addrspace(3) @wide, align 16
  store i8 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @odd, i64 2)
  store float 0.0, ptr addrspace(3) @plain, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define ptx_kernel void @second() {
  ret void
})",
                                       true);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->image().abi, dlm::DlmEmuAbiVersion);
  EXPECT_EQ(device->image().isChecked, 1);
  ASSERT_EQ(device->image().functionCount, 2u);
  const DlmEmuFunction &first = device->function("first");
  ASSERT_EQ(first.paramCount, 3u);
  EXPECT_EQ(first.paramBytes[0], 8u);
  EXPECT_EQ(first.paramBytes[2], 4u);
  EXPECT_EQ(first.threadsMax, 128u);
  EXPECT_TRUE(first.isCooperative);
  ASSERT_EQ(first.sharedCount, 3u);
  uint32_t end = 0;
  for (uint32_t index = 0; index < 3; ++index) {
    const DlmEmuShared &variable = first.shared[index];
    EXPECT_GE(variable.offset, end + 16) << variable.name;
    // The whole begins at an odd multiple of 16, the largest alignment.
    EXPECT_EQ((16 + variable.offset) / variable.alignment % 2, 1u) << variable.name;
    EXPECT_EQ(variable.offset % variable.alignment, 0u) << variable.name;
    end = variable.offset + variable.sizeBytes;
  }
  EXPECT_STREQ(first.shared[1].name, "odd");
  EXPECT_EQ(first.shared[1].sizeBytes, 3u);
  EXPECT_GE(first.sharedBytes, end + 16);
  const DlmEmuFunction &second = device->function("second");
  EXPECT_EQ(second.paramCount + second.sharedCount + second.sharedBytes + second.threadsMax, 0u);
  EXPECT_FALSE(second.isCooperative);
  ASSERT_EQ(device->image().siteCount, 4u);
  const DlmEmuSite &site = device->image().sites[0];
  EXPECT_STREQ(site.text, "store <4 x float> to wide");
  EXPECT_EQ(site.kind, DlmEmuStore);
  EXPECT_EQ(site.space, 3);
  EXPECT_EQ(site.alignment, 16u);
  EXPECT_STREQ(device->image().sites[3].text, "barrier");
}

TEST(EmulatedImage, ReadsSpecialRegisters) {
  const char body[] = R"(
define ptx_kernel void @k(ptr addrspace(1) %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %x0 = mul i32 %block, %ntid
  %x1 = add i32 %x0, %tid
  %x2 = sext i32 %x1 to i64
  %p = getelementptr [4 x i32], ptr addrspace(1) %to, i64 %x2
  %x3 = insertelement <4 x i32> poison, i32 %block, i32 0
  %x4 = insertelement <4 x i32> %x3, i32 %blocks, i32 1
  %x5 = insertelement <4 x i32> %x4, i32 %lane, i32 2
  %x6 = insertelement <4 x i32> %x5, i32 %ntid, i32 3
  store <4 x i32> %x6, ptr addrspace(1) %p, align 16
  ret void
})";
  for (bool checked : {false, true}) {
    auto device = EmulatedDevice::create(body, checked);
    ASSERT_TRUE(device);
    auto *to = device->allocate<uint32_t>(3 * 40 * 4);
    ASSERT_TRUE(device->launch("k", 3, 40, {asParameter(to)}, Order::Random, 7));
    for (uint32_t thread = 0; thread < 120; ++thread) {
      EXPECT_EQ(to[thread * 4], thread / 40);
      EXPECT_EQ(to[thread * 4 + 1], 3u);
      EXPECT_EQ(to[thread * 4 + 2], thread % 40 % 32);
      EXPECT_EQ(to[thread * 4 + 3], 40u);
    }
    EXPECT_TRUE(device->report.isClean());
  }
}

/// Each thread stores to shared memory and reads what the thread opposite stored.
const char Mirror[] = R"(
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @k(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %i
  %v = load float, ptr addrspace(1) %p
  %s = getelementptr float, ptr addrspace(3) @tile, i64 %i
  store float %v, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = sub i64 63, %i
  %o = getelementptr [64 x float], ptr addrspace(3) @tile, i64 0, i64 %j
  %w = load float, ptr addrspace(3) %o
  %q = getelementptr float, ptr addrspace(1) %to, i64 %i
  store float %w, ptr addrspace(1) %q
  ret void
})";

TEST(EmulatedImage, ThreadsMeetAtABarrier) {
  for (bool checked : {false, true}) {
    std::vector<float> result = runBlock(Mirror, countUp(64), 64, checked);
    ASSERT_EQ(result.size(), 64u);
    for (size_t index = 0; index < 64; ++index)
      EXPECT_EQ(result[index], 63.0f - float(index));
  }
}

TEST(EmulatedImage, GenericPointersReachSharedMemory) {
  std::string body = makeElementwise("float", R"(
  store float %v, ptr addrspacecast (ptr addrspace(3) @one to ptr)
  %r = load float, ptr addrspace(3) @one)",
                                     "@one = internal addrspace(3) global float undef, align 4\n");
  EXPECT_EQ(runBlock(body, std::vector<float>{3.5f}, 1), std::vector<float>{3.5f});
}

struct ShuffleCase {
  const char *mode;
  uint32_t operand, clamp;
  int (*source)(int lane); // -1: none
};

TEST(EmulatedImage, ShufflesFindTheirLanes) {
  const ShuffleCase cases[] = {
      {"down", 4, 31, [](int lane) { return lane + 4 < 32 ? lane + 4 : -1; }},
      {"up", 4, 0, [](int lane) { return lane >= 4 ? lane - 4 : -1; }},
      {"bfly", 5, 31, [](int lane) { return lane ^ 5; }},
      {"idx", 7, 31, [](int lane) { return 7; }},
      {"down", 3, 31 | 24 << 8, [](int lane) { return lane % 8 + 3 < 8 ? lane + 3 : -1; }}};
  for (const ShuffleCase &shuffle : cases)
    for (const char *type : {"f32", "i32"}) {
      std::string full = std::string(type) == "f32" ? "float" : "i32";
      std::string name = "@llvm.nvvm.shfl.sync." + std::string(shuffle.mode) + "." + type;
      std::string operands = "(i32 -1, " + full + " %v, i32 " + std::to_string(shuffle.operand) +
                             ", i32 " + std::to_string(shuffle.clamp) + ")";
      std::string types = "(i32, " + full + ", i32, i32)\n";
      std::string plain = makeElementwise(full, "%r = call " + full + " " + name + operands,
                                          "declare " + full + " " + name + types);
      std::string pair = "{" + full + ", i1}";
      std::string nothing = full == "i32" ? "99" : "99.0";
      std::string predicated = makeElementwise(
          full,
          "%s = call " + pair + " " + name + "p" + operands + "%w = extractvalue " + pair +
              " %s, 0\n%is = extractvalue " + pair + " %s, 1\n%r = select i1 %is, " + full +
              " %w, " + full + " " + nothing,
          "declare " + pair + " " + name + "p" + types);
      auto check = [&](auto input, bool hasPredicate) {
        auto result = runBlock(hasPredicate ? predicated : plain, input, 32);
        ASSERT_EQ(result.size(), 32u);
        for (int lane = 0; lane < 32; ++lane) {
          int source = shuffle.source(lane);
          if (source < 0 && hasPredicate)
            EXPECT_EQ(result[lane], 99) << name << " " << lane;
          else
            EXPECT_EQ(result[lane], input[source < 0 ? lane : source]) << name << " " << lane;
        }
      };
      for (bool hasPredicate : {false, true})
        if (full == "float")
          check(countUp(32), hasPredicate);
        else {
          std::vector<int32_t> input(32);
          for (int lane = 0; lane < 32; ++lane)
            input[lane] = lane * lane;
          check(input, hasPredicate);
        }
    }
}

TEST(EmulatedImage, BallotsCollectPredicates) {
  std::string body = makeElementwise("i32", R"(
  %is = icmp sgt i32 %v, 0
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %is))",
                                     "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n");
  std::vector<int32_t> input(32, 0);
  input[0] = input[5] = input[31] = 1;
  EXPECT_EQ(runBlock(body, input, 32), std::vector<int32_t>(32, int32_t(1u << 31 | 33)));
}

TEST(EmulatedImage, AccessesOfEverySize) {
  EXPECT_EQ(
      runBlock(makeElementwise("i8", "%r = add i8 %v, 1"), std::vector<uint8_t>{0, 7, 255}, 3),
      (std::vector<uint8_t>{1, 8, 0}));
  EXPECT_EQ(runBlock(makeElementwise("i64", "%r = shl i64 %v, 40"), std::vector<uint64_t>{1, 3}, 2),
            (std::vector<uint64_t>{uint64_t(1) << 40, uint64_t(3) << 40}));
  std::vector<float> eight =
      runBlock(makeElementwise("<4 x float>", "%r = fmul <4 x float> %v, %v"), countUp(8), 2);
  EXPECT_EQ(eight, (std::vector<float>{0, 1, 4, 9, 16, 25, 36, 49}));
}

TEST(EmulatedImage, AtomicsAddUp) {
  auto device = EmulatedDevice::create(R"(
define ptx_kernel void @k(ptr addrspace(1) %to) {
  %old = atomicrmw add ptr addrspace(1) %to, i32 3 monotonic
  ret void
})",
                                       true);
  ASSERT_TRUE(device);
  uint32_t *to = device->upload(std::vector<uint32_t>{1});
  EXPECT_TRUE(device->launch("k", 4, 64, {asParameter(to)}));
  EXPECT_EQ(*to, 1 + 3 * 256u);
  EXPECT_TRUE(device->report.isClean());
}

TEST(EmulatedImage, DeviceArithmeticIsExact) {
  std::string body = makeElementwise("float", R"(
  %a = call float @llvm.nvvm.fma.rn.f(float %v, float 0x3FF0000020000000, float -1.0)
  %b = call float @llvm.nvvm.sqrt.rn.f(float %v)
  %c = call float @llvm.nvvm.div.rn.f(float %a, float %b)
  %d = call float @llvm.nvvm.floor.f(float %v)
  %r = fadd float %c, %d)",
                                     R"(
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.div.rn.f(float, float)
declare float @llvm.nvvm.floor.f(float)
)");
  std::vector<float> input = {1.0f, 1.5f, 2.0f, 3.14159f}, expected;
  for (float value : input) {
    float product = std::fma(value, 1.0f + std::ldexp(1.0f, -23), -1.0f);
    expected.push_back(product / std::sqrt(value) + std::floor(value));
  }
  EXPECT_EQ(runBlock(body, input, 4), expected);
}

TEST(EmulatedImage, DivisionsNeverEndTheProgram) {
  auto divide = [](const char *operation, int32_t divisor) {
    std::string body = makeElementwise(
        "i32", "%d = load volatile i32, ptr addrspace(1) %from\n%r = " + std::string(operation) +
                   " i32 %v, %d");
    return runBlock(body, std::vector<int32_t>{divisor, 7, INT32_MIN}, 3);
  };
  auto tail = [&](const char *operation, int32_t divisor) {
    std::vector<int32_t> all = divide(operation, divisor);
    return std::vector<int32_t>(all.begin() + 1, all.end());
  };
  using Pair = std::vector<int32_t>;
  EXPECT_EQ(tail("sdiv", 2), (Pair{3, INT32_MIN / 2}));
  EXPECT_EQ(tail("srem", 2), (Pair{1, 0}));
  EXPECT_EQ(tail("sdiv", 0), (Pair{-1, -1}));
  EXPECT_EQ(tail("udiv", 0), (Pair{-1, -1}));
  EXPECT_EQ(tail("srem", 0), (Pair{7, INT32_MIN}));
  EXPECT_EQ(tail("urem", 0), (Pair{7, INT32_MIN}));
  EXPECT_EQ(tail("sdiv", -1), (Pair{-7, INT32_MIN}));
  EXPECT_EQ(tail("srem", -1), (Pair{0, 0}));
}

TEST(EmulatedImage, ConstantTablesAreNoDeviceMemory) {
  std::string body = makeElementwise("float", R"(
  %t = getelementptr [4 x float], ptr addrspace(1) @table, i64 0, i64 %i
  %r = load float, ptr addrspace(1) %t)",
                                     "@table = internal addrspace(1) constant [4 x float] "
                                     "[float 4.0, float 3.0, float 2.0, float 1.0]\n");
  EXPECT_EQ(runBlock(body, countUp(4), 4), (std::vector<float>{4, 3, 2, 1}));
}

TEST(EmulatedImage, TrapsEndTheLaunch) {
  auto device = EmulatedDevice::create(R"(
define ptx_kernel void @k(i64 %n) {
  %is = icmp eq i64 %n, 0
  br i1 %is, label %bad, label %good
bad:
  unreachable
good:
  ret void
})",
                                       false);
  ASSERT_TRUE(device);
  EXPECT_TRUE(device->launch("k", 1, 1, {1}));
  EXPECT_FALSE(device->launch("k", 1, 1, {0}));
  ASSERT_EQ(device->report.findings.size(), 1u);
  EXPECT_EQ(device->report.findings[0].fault, Fault::Trap);
}

TEST(EmulatedImage, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(EmulatedDevice::getFault(
                makeElementwise("float", "%r = call float @llvm.nvvm.ex2.approx.f32(float %v)",
                                "declare float @llvm.nvvm.ex2.approx.f32(float)\n")),
            "kernel 'k': the emulator does not know 'llvm.nvvm.ex2.approx.f32'");
  EXPECT_EQ(EmulatedDevice::getFault(makeElementwise(
                "float", "%r = call float asm \"ex2.approx.f32 $0, $1;\", \"=f,f\"(float %v)")),
            "kernel 'k': inline assembly cannot be emulated: 'ex2.approx.f32 $0, $1;'");
  EXPECT_EQ(EmulatedDevice::getFault(makeElementwise("float", "%r = call float @f(float %v)",
                                                     "declare float @f(float)\n")),
            "kernel 'k': calls 'f'; device code is one function");
  EXPECT_EQ(EmulatedDevice::getFault(R"(
define ptx_kernel void @k() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  ret void
})"),
            "kernel 'k': the emulator knows barrier 0 only");
  EXPECT_EQ(EmulatedDevice::getFault(R"(
@dynamic = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @k() {
  store float 0.0, ptr addrspace(3) @dynamic
  ret void
})"),
            "kernel 'k': shared memory 'dynamic' has no size of its own; the emulator needs one");
}

} // namespace
