// Token files as the compiler sees them.

#include "test/sema/TinyData.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"
#include "runtime/data/formats/TokenFile.h"

#include <gtest/gtest.h>

namespace dlm::sema {

namespace {

/// What is said of a program that trains on the source, and tests `expect`.
std::string saidOfTokens(const std::string &source, const std::string &expect = "1 == 1") {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", "use data\nlet d = " + source + "\ntest \"t\" { expect " +
                                             expect + " }\ntrain t { data = d }\n");
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  EXPECT_TRUE(tree);
  if (tree) check(*tree, sources, diagnostics, {});
  std::string said = renderText(diagnostics);
  return said.substr(0, said.find("error[missing-setting]")); // the train block is not finished
}

void writeTokens(const std::string &path, int count, int64_t vocab, int64_t end = -1) {
  TokenList ids(vocab);
  for (int i = 0; i < count; ++i)
    ids.append(uint32_t(i % vocab));
  EXPECT_TRUE(writeTokenFile(path, ids, end, "").isOk());
}

void expectIn(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

} // namespace

TEST(TokenFiles, CountWindowsOfAllFilesTogether) {
  TinyData data;
  writeTokens("a.tokens", 10, 70000);
  writeTokens("b.tokens", 11, 70000);
  writeTokens("c.valid", 9, 70000);
  const std::string expect = "d.vocab == 70000 and d.count == ";
  EXPECT_EQ(saidOfTokens("data.tokens(\"?.tokens\", window = 5)", expect + "4"), "");
  EXPECT_EQ(saidOfTokens("data.tokens(\"*.tokens\", window = 20)", expect + "1"), "");
  EXPECT_EQ(saidOfTokens("data.tokens(\"a.tokens\", window = 5, validation = \"c.valid\")",
                         expect + "1 and d.validation_count == 1"),
            "");
  EXPECT_EQ(saidOfTokens("data.tokens(\"*.tokens\", window = 5, validation = 1, test = 25%)",
                         expect + "2 and d.validation_count == 1 and d.test_count == 1"),
            "");
  expectIn(saidOfTokens("data.tokens(\"*.tokens\", window = 21)"),
           "it has 21 tokens, and a window and the token behind it take 22");
}

TEST(TokenFiles, HaveDocumentsIfTheySayHowTheyEnd) {
  TinyData data;
  writeTokens("a.tokens", 10, 8);
  writeTokens("b.tokens", 10, 8, 7);
  expectIn(saidOfTokens("data.tokens(\"a.tokens\", window = 5, pack = documents)"),
           "error[data-source]: these token files do not say which token ends a document");
  EXPECT_EQ(saidOfTokens("data.tokens(\"b.tokens\", window = 5, pack = documents)"), "");
  expectIn(saidOfTokens("data.tokens(\"*.tokens\", window = 5)"),
           "id 7 ends a document; in the files before it, or when the program was compiled, no id");
}

TEST(TokenFiles, OfTwoVocabulariesAreRefused) {
  TinyData data;
  writeTokens("a.tokens", 10, 8);
  writeTokens("b.tokens", 10, 9);
  for (const char *source : {"data.tokens(\"*.tokens\", window = 5)",
                             "data.tokens(\"a.tokens\", window = 5, validation = \"b.tokens\")"})
    expectIn(saidOfTokens(source), data.folder() + "/b.tokens` has a vocabulary of 9 tokens");
  expectIn(saidOfTokens("data.tokens(\"a.tokens\", window = 5, test = \"*.test\")"),
           "no token file fits `" + data.folder() + "/*.test`");
}

} // namespace dlm::sema
