// Programs of several files, and the data files beside them.

#include "test/sema/TinyData.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"

#include <gtest/gtest.h>

namespace dlm::sema {

namespace {

const std::string runOfTheLayer = R"(use layers.own as own, optim, data
let images = data.idx("tiny")
train t {
  let net = own.Scale(3)
  data = images
  batch = 2
  fn loss(batch) { mean(net(cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
)";

struct Outcome {
  std::string said;
  std::optional<TypedProgram> program;
};

Outcome checkText(const std::string &text, const CheckOptions &options = {}) {
  Outcome outcome;
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  if (tree) outcome.program = check(*tree, sources, diagnostics, options);
  outcome.said = renderText(diagnostics);
  return outcome;
}

} // namespace

TEST(Modules, AFileInAFolderBesideTheProgramIsAModule) {
  TinyData data;
  std::filesystem::create_directory("layers");
  data.writeText("layers/own.dlm", R"(model Scale(width: int) {
  param scale: f32[width] = ones
  fn forward(x: f32[..., width]) { x * scale }
}
)");
  Outcome outcome = checkText(runOfTheLayer);
  EXPECT_EQ(outcome.said, "");
  ASSERT_TRUE(outcome.program);
  ASSERT_EQ(outcome.program->parameters.size(), 1u);
  EXPECT_EQ(outcome.program->parameters[0].path, "net.scale");
}

TEST(Modules, ASyntaxErrorInAModuleIsTheOnlyError) {
  TinyData data;
  std::filesystem::create_directory("layers");
  data.writeText("layers/own.dlm", "model Scale(width: int) {\n");
  Outcome outcome = checkText(runOfTheLayer);
  EXPECT_FALSE(outcome.program);
  EXPECT_EQ(outcome.said.find("layers/own.dlm:1"), outcome.said.find("layers/own.dlm"));
  EXPECT_EQ(outcome.said.find("error["), outcome.said.rfind("error["));
}

TEST(Modules, AMemberThatIsMissingHasNearNames) {
  TinyData data;
  data.writeText("layers.dlm", "fn doubled(x) { 2 * x }\n");
  Outcome outcome = checkText("use layers as own\nlet x = own.doubeld(1)\n");
  EXPECT_NE(outcome.said.find("there is a member named `doubled`"), std::string::npos)
      << outcome.said;
}

TEST(Modules, AFileBesideTheProgramThatIsNotUsedIsNamedOnce) {
  TinyData data;
  data.writeText("layers.dlm", "fn doubled(x) { 2 * x }\n");
  Outcome outcome = checkText("let x = layers.doubled(1)\nlet y = layers.doubled(2)\n");
  EXPECT_EQ(outcome.said, R"(error[unknown-name]: `layers` is not declared
 --> a.dlm:1:9
  |
1 | let x = layers.doubled(1)
  |         ^^^^^^
help: `layers.dlm` stands beside this file: `use layers` makes it known
)");
}

TEST(Modules, AMemberThatIsMissingIsReportedOnceBesideThoseOfTheModule) {
  TinyData data;
  data.writeText("layers.dlm", "use nn\nmodel Residual() { let fit = nn.Linear(1, 1) }\n");
  Outcome outcome =
      checkText("use layers\nlet x = layers.ResidualBlock\nlet y = layers.ResidualBlock\n");
  EXPECT_EQ(outcome.said, R"(error[unknown-member]: `layers` has no member `ResidualBlock`
 --> a.dlm:2:16
  |
2 | let x = layers.ResidualBlock
  |                ^^^^^^^^^^^^^
help: the only member is `Residual`
)");
}

TEST(Modules, AnOptionIsDeclaredInOneFile) {
  TinyData data;
  data.writeText("part.dlm", "option width = 3\nfn f(x) { width * x }\n");
  std::string run = "train t {\n  data = data.idx(\"tiny\")\n  batch = 2\n"
                    "  let net = nn.Linear(1, 1)\n"
                    "  fn loss(batch) { part.f(mean(net.weight ** 2) + mean(net.bias)) }\n"
                    "  optimizer = optim.SGD(lr = 0.1)\n  duration = 1 epochs\n}\n";
  EXPECT_EQ(checkText("use nn, optim, data, part\nuse part as other\n" + run).said, "");
  EXPECT_EQ(checkText("use nn, optim, data, part\noption width = 4\n" + run).said,
            R"(error[duplicate-name]: two files declare `width`, and one `-D` would set both
 --> a.dlm:2:8
  |
2 | option width = 4
  |        ^^^^^
note: the other option is declared here
 --> part.dlm:1:8
  |
1 | option width = 3
  |        -----
)");
}

/// A run whose loss has a factor of a module.
const std::string runOfTheOption =
    "use nn, optim, data, part\ntrain t {\n"
    "  data = data.idx(\"tiny\")\n  batch = 2\n"
    "  let net = nn.Linear(1, 1)\n"
    "  fn loss(batch) { part.f(mean(net.weight ** 2) + mean(net.bias)) }\n"
    "  optimizer = optim.SGD(lr = 0.1)\n  duration = 1 epochs\n}\n";

TEST(Modules, AnOptionOfAModuleIsAnOptionOfTheProgram) {
  TinyData data;
  data.writeText("part.dlm", "option share = 0.5\nfn f(x) { share * x }\n");
  CheckOptions options;
  options.definitions = {{"share", "0.25"}};
  Outcome outcome = checkText(runOfTheOption, options);
  EXPECT_EQ(outcome.said, "");
  ASSERT_TRUE(outcome.program);
  ASSERT_EQ(outcome.program->options.size(), 1u);
  EXPECT_EQ(outcome.program->options[0].name, "share");
  EXPECT_EQ(outcome.program->options[0].value, 0.25);
  options.definitions = {{"shre", "0.25"}};
  EXPECT_EQ(checkText(runOfTheOption, options).said,
            "error[unknown-option]: `-D shre`: the program has no such option\n"
            "help: there is an option named `share`\n");
}

TEST(Modules, ASearchGoesOverAnOptionOfAModule) {
  TinyData data;
  data.writeText("part.dlm", "option share = 0.5\nfn f(x) { share * x }\n");
  std::string search = "search best of t {\n  space { share = [0.25, 0.75] }\n"
                       "  minimize = validation.loss\n}\n";
  CheckOptions options;
  options.purpose = Purpose::Check;
  Outcome outcome = checkText(runOfTheOption + search, options);
  EXPECT_EQ(outcome.said, "");
  ASSERT_TRUE(outcome.program);
  ASSERT_EQ(outcome.program->searches.size(), 1u);
  EXPECT_EQ(outcome.program->searches[0].space[0].values.size(), 2u);
}

TEST(Modules, ALocalFileIsUsedForALibraryModuleWithAWarning) {
  TinyData data;
  data.writeText("nn.dlm", "model Scale() { param by: f32 = 2; fn forward(x) { by * x } }\n");
  Outcome outcome = checkText(R"(use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Scale()
  data = images
  batch = 2
  fn loss(batch) { mean(net(cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
)");
  EXPECT_TRUE(outcome.program);
  EXPECT_EQ(outcome.said,
            R"(warning[local-module]: `nn` is the file beside this one, not the library's module
 --> a.dlm:1:5
  |
1 | use nn, optim, data
  |     ^^
)");
}

TEST(DataSources, DifferentCountsAreReported) {
  TinyData data;
  data.write("train-labels-idx1-ubyte", {5});
  Outcome outcome = checkText("use data\nlet d = data.idx(\"tiny\")\ntrain t { data = d }\n");
  EXPECT_NE(outcome.said.find("the training files hold 6 images and 5 labels"), std::string::npos)
      << outcome.said;
}

TEST(Evaluator, AChainOfManyOperatorsDoesNotExhaustTheStack) {
  std::string text = "let x = 1";
  for (int i = 0; i < 20000; ++i)
    text += " + 1";
  Outcome outcome = checkText(text + "\nlet y = [0, 1][x - 20000]\n");
  EXPECT_EQ(outcome.said.find("index-range"), std::string::npos) << outcome.said;
  EXPECT_EQ(outcome.said, "");
}

TEST(Evaluator, CallsNestedTooDeeplyAreReported) {
  std::string text = "fn f0(x) { x }\n";
  for (int i = 1; i < 5000; ++i)
    text += "fn f" + std::to_string(i) + "(x) { f" + std::to_string(i - 1) + "(x) }\n";
  Outcome outcome = checkText(text + "let y = f4999(1)\n");
  EXPECT_NE(outcome.said.find("error[nesting]"), std::string::npos);
}

} // namespace dlm::sema
