// Programs of the repository with comments, line ends and spaces put in at random, and with names
// so long that nearly every line breaks, and programs made up at random: what parses keeps its tree
// and its comments, and is laid out once and for all.

#include "test/format/FormattedText.h"
#include "test/format/RandomText.h"

#include <gtest/gtest.h>
#include <random>

namespace dlm {

namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Puts something between two tokens (or into one: that rarely parses).
void insertAnywhere(std::string &text, std::mt19937 &random) {
  static const char *const pieces[] = {
      "\n", "  ",           "\n\n\n", " // behind\n", "\n// own\n", "\t", "\n\n  // apart\n\n",
      ";",  " /// words\n", "\n  ",   "// a\n// b\n", "\r\n"};
  for (int tries = 0; tries < 50; ++tries) {
    size_t at = random() % (text.size() + 1);
    if (at > 0 && at < text.size() && isWordCharacter(text[at - 1]) && isWordCharacter(text[at]))
      continue;
    text.insert(at, pieces[random() % std::size(pieces)]);
    return;
  }
}

/// Makes every name that is a parameter or a variable of one or two letters very long.
std::string withLongNames(const std::string &text, size_t length) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isWordCharacter(text[end]))
      ++end;
    std::string word = text.substr(at, std::max<size_t>(end - at, 1));
    at += word.size();
    static const std::set<std::string> kept = {"fn",  "if",  "in",  "or",  "of", "as",
                                               "for", "let", "not", "and", "use"};
    result += word;
    bool isName = std::isalpha(static_cast<unsigned char>(word[0])) && !kept.count(word);
    if (isName && word.size() <= 3) result += std::string(length, '_');
  }
  return result;
}

/// The first text with a fault, if any.
void checkText(const std::string &text, size_t &count) {
  if (treeOf(text).empty()) return;
  ++count;
  std::string once = formatted(text);
  bool isRefused = once.find("this `///` comment stands between") != std::string::npos;
  if (isRefused || keepsAll(text, once)) return;
  std::string twice = formatted(once).substr(0, once.size() + 80);
  ADD_FAILURE() << "from:\n" << text << "\nonce:\n" << once << "\ntwice:\n" << twice;
}

} // namespace

TEST(Scramble, KeepsWhatTheAuthorWrote) {
  // --gtest_random_seed=N looks at other texts.
  std::mt19937 random(4 + testing::UnitTest::GetInstance()->random_seed());
  size_t count = 0;
  for (const std::filesystem::path &path : allPrograms()) {
    std::string whole = readText(path);
    if (treeOf(whole).empty()) continue;
    for (int round = 0; round < 12 && !testing::Test::HasFailure(); ++round) {
      std::string text = round % 3 == 0 ? withLongNames(whole, random() % 40) : whole;
      for (size_t i = random() % 4 + 1; i > 0; --i)
        insertAnywhere(text, random);
      SCOPED_TRACE(path.string());
      checkText(text, count);
    }
  }
  EXPECT_GT(count, 200u);
}

TEST(Scramble, KeepsWhatNobodyWouldWrite) {
  std::mt19937 random(4 + testing::UnitTest::GetInstance()->random_seed());
  size_t count = 0;
  for (int round = 0; round < 1500 && !testing::Test::HasFailure(); ++round)
    checkText(randomText(random), count);
  EXPECT_GT(count, 300u);
}

} // namespace dlm
