// Gates on device code that need no GPU: what the assembler says of each function on each
// architecture, how many warps then fit, and what PTX may and must hold. The README says what each
// gate means and what to do when one fails.
#include "test/codegen/DeviceProgram.h"
#include "test/codegen/NeedAssembler.h"
#include "test/codegen/Occupancy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace {

/// What a function may use, by the kind of kernel it belongs to.
struct Budget {
  unsigned registersMax;
  unsigned occupancyMin; // percent of a multiprocessor's warps
};

const std::map<std::string, Budget> Budgets = {{"linear", {64, 50}},   {"row", {80, 37}},
                                               {"column", {64, 50}},   {"scatter", {64, 25}},
                                               {"product", {128, 25}}, {"power", {128, 25}}};

/// Stands for the kernels of the equality tests, where otherwise a file's name stands.
constexpr char KernelCasesName[] = "kernel/cases";

constexpr unsigned SharedBytesMax = 48 << 10; // what every chip gives without being asked

/// A power is 150 instructions that keep 20 values alive for each of the four elements a thread has
/// in hand: such a kernel is bound by arithmetic, not by how many warps hide its loads.
const Budget &getBudget(const std::string &function, const std::string &kind) {
  bool hasPower = kind == "linear" && llvm::StringRef(function).contains("_pow_");
  return Budgets.at(hasPower ? "power" : kind);
}

/// Compiled once for all tests; empty, with a failure of the test, if it does not compile.
const test::DeviceProgram &getProgram(const std::string &path) {
  static std::map<std::string, test::DeviceProgram> programs;
  auto [entry, isNew] = programs.try_emplace(path);
  if (!isNew) return entry->second;
  llvm::Expected<test::DeviceProgram> program =
      path == KernelCasesName ? test::compileKernelCases()
                              : test::compileDeviceProgram(DLM_TEST_ROOT "/" + path);
  if (program)
    entry->second = std::move(*program);
  else
    ADD_FAILURE() << path << ": " << llvm::toString(program.takeError());
  return entry->second;
}

/// The text of one function.
llvm::StringRef findEntry(llvm::StringRef ptx, llvm::StringRef name) {
  size_t begin = ptx.find((".entry " + name + "(").str());
  if (begin == llvm::StringRef::npos) return "";
  return ptx.slice(begin, ptx.find("\n}", begin));
}

class DeviceGates : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    DLM_NEED_ASSEMBLER();
    program = &getProgram(GetParam());
    ASSERT_FALSE(program->functions.empty()) << "no device code, see above";
  }
  const test::PlannedFunction *find(const dlm::DeviceResources &found) {
    auto entry = program->functions.find(found.function);
    return entry == program->functions.end() ? nullptr : &entry->second;
  }
  const test::DeviceProgram *program = nullptr;
};

TEST_P(DeviceGates, EveryFunctionIsAssembled) {
  EXPECT_EQ(program->cubins.size(), dlm::DefaultArchitectures.size());
  for (const dlm::Cubin &cubin : program->cubins) {
    std::set<std::string> assembled;
    for (const dlm::DeviceResources &found : cubin.resources)
      assembled.insert(found.function);
    for (const auto &[name, planned] : program->functions) {
      EXPECT_TRUE(assembled.erase(name))
          << name << " is planned, but not in " << cubin.architecture;
      EXPECT_TRUE(Budgets.count(planned.kind)) << name << " is of kind '" << planned.kind << "'";
    }
    EXPECT_TRUE(assembled.empty()) << *assembled.begin() << " is assembled, but not planned";
  }
}

TEST_P(DeviceGates, NothingIsSpilledAndBudgetsAreKept) {
  std::map<std::string, unsigned> most; // by kind: for the report
  for (const dlm::Cubin &cubin : program->cubins)
    for (const dlm::DeviceResources &found : cubin.resources) {
      const test::PlannedFunction *planned = find(found);
      ASSERT_TRUE(planned);
      std::string what = found.function + " (" + planned->kind + ") for " + cubin.architecture;
      EXPECT_EQ(found.spillBytes, 0u) << what;
      EXPECT_EQ(found.stackBytes, 0u) << what;
      EXPECT_LE(found.registers, getBudget(found.function, planned->kind).registersMax) << what;
      EXPECT_LE(found.sharedBytes, SharedBytesMax) << what;
      EXPECT_EQ(found.sharedBytes, planned->sharedBytes) << what << ": the plan says otherwise";
      unsigned &registers = most[planned->kind];
      registers = std::max(registers, found.registers);
    }
  for (const auto &[kind, registers] : most)
    llvm::outs() << kind << ": at most " << registers << " registers\n";
}

TEST_P(DeviceGates, EnoughWarpsFit) {
  std::map<std::string, unsigned> least;
  for (const test::Chip &chip : test::Chips)
    for (const dlm::Cubin &cubin : program->cubins) {
      if (cubin.architecture != chip.architecture) continue;
      for (const dlm::DeviceResources &found : cubin.resources) {
        const test::PlannedFunction *planned = find(found);
        ASSERT_TRUE(planned);
        unsigned occupancy = test::getOccupancy(chip, found, planned->blockThreads);
        EXPECT_GE(occupancy, getBudget(found.function, planned->kind).occupancyMin)
            << found.function << " (" << planned->kind << ") on " << chip.name;
        unsigned &percent = least.try_emplace(planned->kind, 100).first->second;
        percent = std::min(percent, occupancy);
      }
    }
  for (const auto &[kind, percent] : least)
    llvm::outs() << kind << ": at least " << percent << " % of the warps\n";
}

TEST_P(DeviceGates, RoundingIsWrittenOut) {
  const llvm::Regex arithmetic(
      "^[ \t]*(add|sub|mul|fma|mad|div|rcp|sqrt|rsqrt|ex2|lg2|sin|cos|tanh)(\\.[a-z0-9]+)*\\.f32");
  for (llvm::StringRef line : llvm::split(program->ptx, '\n')) {
    if (arithmetic.match(line)) EXPECT_TRUE(line.contains(".rn.f32")) << line.str();
    for (const char *banned :
         {".ftz", ".approx", "mad.f32", ".local", "\tcall", "\tatom.", "\tred."})
      EXPECT_FALSE(line.contains(banned)) << line.str();
  }
}

TEST_P(DeviceGates, NothingIsFusedThatWasNotAskedFor) {
  for (const auto &[name, planned] : program->functions)
    EXPECT_LE(findEntry(program->ptx, name).count("fma.rn.f32"), planned.fusedOps) << name;
}

/// Programs whose buffers are aligned and whose sizes are multiples of four where it matters.
class AlignedDeviceGates : public DeviceGates {};

TEST_P(AlignedDeviceGates, SixteenBytesAtOnce) {
  const llvm::Regex loads("ld\\.global(\\.nc)?\\.v4"), stores("st\\.global\\.v4");
  const llvm::Regex widths("^product_[nt][nt]_([14])([14])([14])$"); // lhs, rhs, out
  int linear = 0;
  for (const auto &[name, planned] : program->functions) {
    llvm::StringRef text = findEntry(program->ptx, name);
    ASSERT_FALSE(text.empty()) << name;
    llvm::SmallVector<llvm::StringRef, 4> parts;
    if (widths.match(name, &parts)) {
      EXPECT_EQ(loads.match(text), parts[1] == "4" || parts[2] == "4") << name;
      EXPECT_EQ(stores.match(text), parts[3] == "4") << name;
    } else if (planned.kind == "linear" && planned.elements >= 4 && !text.contains("linear_copy")) {
      // (A copy may go to a parameter's place in the flat buffer, which is aligned to 4 bytes.)
      ++linear;
      EXPECT_TRUE(stores.match(text)) << name;
    }
  }
  EXPECT_GT(linear, 0);
}

TEST_P(DeviceGates, CompilesInLittleTime) {
  llvm::outs() << program->functions.size() << " functions: " << int(1e3 * program->secondsToPTX)
               << " ms to PTX, " << int(1e3 * program->secondsToCubins) << " ms to cubins\n";
  EXPECT_LT(program->secondsToPTX + program->secondsToCubins, 60);
}

std::string getFileName(const testing::TestParamInfo<const char *> &info) {
  std::string name = llvm::StringRef(info.param).rsplit('/').second.str();
  for (char &letter : name)
    if (!llvm::isAlnum(letter)) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, AlignedDeviceGates, testing::Values("examples/fashion_mlp.dlm"),
                         getFileName);
INSTANTIATE_TEST_SUITE_P(Programs, DeviceGates,
                         testing::Values("examples/fashion_mlp.dlm",
                                         "test/equal/programs/two-layers.mlir",
                                         "test/equal/programs/corners.mlir",
                                         "test/equal/programs/special-values.mlir",
                                         KernelCasesName),
                         getFileName);

} // namespace
