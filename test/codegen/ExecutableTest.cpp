// The linked kernels and the executable that carries them: nothing undefined, sections that strip
// keeps, an executable that still runs.
#include "compiler/codegen/link/KernelLinker.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <map>

namespace {

dlm::Bytes readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return buffer ? dlm::Bytes((*buffer)->getBufferStart(), (*buffer)->getBufferEnd()) : dlm::Bytes();
}

/// A small program of this machine serves as the runner.
dlm::Bytes readRunner() { return readFile("/bin/true"); }

/// The executable in a file that goes away, to be changed by tools.
class Executable : public testing::Test {
protected:
  void SetUp() override {
    contents = {{dlm::PlanSection, dlm::Bytes(5000, 'p')},
                {dlm::KernelsSection, dlm::Bytes(12345, 'k')},
                {dlm::DeviceSectionPrefix + std::string("sm_80"), dlm::Bytes(777, 'c')},
                {dlm::DeviceSectionPrefix + std::string("ptx"), dlm::Bytes(1, 'x')}};
    std::vector<dlm::Section> sections;
    for (const auto &[name, bytes] : contents)
      sections.push_back({name, bytes});
    llvm::Expected<dlm::Bytes> bytes = dlm::addSections(readRunner(), sections);
    ASSERT_TRUE(bool(bytes)) << llvm::toString(bytes.takeError());
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("executable", "", path));
    remover.setFile(path);
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << llvm::StringRef(bytes->data(), bytes->size());
    ASSERT_FALSE(error);
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::perms::all_all);
  }

  int run(std::vector<llvm::StringRef> arguments) {
    llvm::ErrorOr<std::string> program =
        llvm::sys::findProgramByName(arguments[0], {"/usr/lib/llvm-22/bin", "/usr/bin", "/bin"});
    if (arguments[0] == path) program = arguments[0].str();
    if (!program) return -1;
    return llvm::sys::ExecuteAndWait(*program, arguments);
  }

  void expectIntact() {
    dlm::Bytes file = readFile(path);
    for (const auto &[name, expected] : contents) {
      llvm::Expected<dlm::Bytes> bytes = dlm::readSection(file, name);
      ASSERT_TRUE(bool(bytes)) << llvm::toString(bytes.takeError());
      EXPECT_EQ(*bytes, expected) << name;
    }
    EXPECT_EQ(run({path}), 0);
  }

  llvm::SmallString<64> path;
  llvm::FileRemover remover;
  std::map<std::string, dlm::Bytes> contents; // of the sections, by name
};

TEST_F(Executable, CarriesItsSectionsAndRuns) { expectIntact(); }

TEST_F(Executable, SurvivesStrip) {
  if (!llvm::sys::findProgramByName("strip")) GTEST_SKIP() << "binutils are not installed";
  ASSERT_EQ(run({"strip", path}), 0);
  expectIntact();
}

TEST_F(Executable, SurvivesStripAll) {
  if (!llvm::sys::findProgramByName("strip")) GTEST_SKIP() << "binutils are not installed";
  ASSERT_EQ(run({"strip", "--strip-all", path}), 0);
  expectIntact();
}

TEST_F(Executable, SurvivesLlvmStrip) {
  ASSERT_EQ(run({"llvm-strip", path}), 0);
  expectIntact();
  ASSERT_EQ(run({"llvm-strip", "--strip-all", path}), 0);
  expectIntact();
}

TEST(Sections, AreNotAddedToWhatIsNoElfFile) {
  llvm::Expected<dlm::Bytes> bytes = dlm::addSections({'n', 'o'}, {});
  ASSERT_FALSE(bool(bytes));
  EXPECT_NE(llvm::toString(bytes.takeError()).find("the runner is not an ELF file"),
            std::string::npos);
}

TEST(Sections, MissingOneIsNamed) {
  llvm::Expected<dlm::Bytes> bytes = dlm::readSection(readRunner(), ".dlm.none");
  ASSERT_FALSE(bool(bytes));
  EXPECT_EQ(llvm::toString(bytes.takeError()), "the file has no section .dlm.none");
}

} // namespace
