// What multiplies, repeats or grows ends at a limit, with an error at the place.
#include "test/robust/CheckText.h"

#include <gtest/gtest.h>

namespace dlm::sema {

namespace {

/// `fn f0...` to `fn fN`, each made of the one before: `%` stands for its number.
std::string composed(const std::string &first, const std::string &next, int count) {
  std::string text = first + "\n";
  for (int i = 1; i <= count; ++i) {
    std::string line = next;
    for (size_t at; (at = line.find('%')) != std::string::npos;)
      line.replace(at, 1, std::to_string(line[at + 1] == '<' ? i - 1 : i));
    for (size_t at; (at = line.find('<')) != std::string::npos;)
      line.erase(at, 1);
    text += line + "\n";
  }
  return text;
}

constexpr double secondsMax = 60; // generous: the machine may be busy, the program sanitized

} // namespace

TEST(Limits, FunctionsThatCallOthersTwiceEnd) {
  std::string numbers = composed("fn fun0(x) { x }", "fn fun%(x) { fun%<(fun%<(x)) }", 60);
  CheckOutcome outcome = checkWithTrain(numbers + "let y = fun60(1)\n");
  EXPECT_EQ(outcome.firstKind(), "work-limit");
  EXPECT_TRUE(outcome.says("most of them come from what is called here")) << outcome.said;
  EXPECT_EQ(outcome.said.find("error["), outcome.said.rfind("error[")) << outcome.said;
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, TensorsAddedToThemselvesEnd) {
  std::string tensors = composed("fn fun0(x) { x + x }", "fn fun%(x) { fun%<(x) + fun%<(x) }", 60);
  CheckOutcome outcome = checkWithTrain(tensors + "let y = fun60(zeros([3]))\n");
  EXPECT_EQ(outcome.firstKind(), "work-limit");
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, DoublingATensorSixtyTimesIsFine) {
  std::string tensors =
      composed("fn fun0(x) { x + x }", "fn fun%(x) { let v = fun%<(x); v + v }", 60);
  EXPECT_EQ(checkWithTrain(tensors + "let y = fun60(zeros([3]))\n").said, "");
}

TEST(Limits, AComprehensionThatKeepsNothingEnds) {
  CheckOutcome outcome =
      checkWithTrain("let x = [1 for a in 0..1000000 for b in 0..1000000 if false]\n");
  EXPECT_EQ(outcome.firstKind(), "work-limit");
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, ListsOfListsEnd) {
  for (const char *text : {"let x = [0..1000000 for i in 0..1000000]",
                           "let a = 0..999999\nlet x = [[i in a] for i in a]",
                           "let a = 0..999999\nlet x = [reverse(a) for i in a]",
                           "let a = 0..999999\nlet x = [zip(a, a) for i in a]",
                           "let a = 0..999999\nlet x = [a[1:] for i in a]"}) {
    CheckOutcome outcome = checkWithTrain(std::string(text) + "\n");
    EXPECT_EQ(outcome.firstKind(), "work-limit") << text;
    EXPECT_LT(outcome.seconds, secondsMax) << text;
  }
}

TEST(Limits, NamesThatAreSoughtThroughManyScopesEnd) {
  std::string lists = "tensor([a, b, c], f32)";
  for (int i = 0; i < 120; ++i)
    lists = "[" + lists + " for i in [1, 2]]";
  CheckOutcome outcome = checkWithTrain("fn f(a, b, c) { " + lists + " }\nlet x = f(1, 2, 3)\n");
  EXPECT_EQ(outcome.firstKind(), "work-limit");
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, PathsThroughManyListsEnd) {
  std::string lists = "1h";
  for (int i = 0; i < 120; ++i)
    lists = "[" + lists + " for i in [1, 2]]";
  CheckOutcome outcome = checkWithTrain("option slow = " + lists + "\n");
  EXPECT_EQ(outcome.firstKind(), "work-limit");
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, AnUnknownNameThatIsReachedOftenIsSoughtOnce) {
  CheckOutcome outcome = checkWithTrain("let x = [nme for a in 0..1000 for b in 0..200]\n");
  EXPECT_EQ(outcome.firstKind(), "unknown-name");
  EXPECT_LT(outcome.seconds, 10);
}

TEST(Limits, ListsInListsAreShownShort) {
  std::string text = composed("let s0 = [1, 2]", "let s% = [s%<, s%<]", 18);
  CheckOutcome outcome = checkWithTrain(text + "let y = s18 + 1\n");
  EXPECT_EQ(outcome.firstKind(), "type-mismatch");
  EXPECT_LT(outcome.said.size(), 1000u);
}

TEST(Limits, ListsThatAreAppliedEnd) {
  std::string text = composed("let s0 = [relu, relu]", "let s% = [s%<, s%<]", 60);
  CheckOutcome outcome = checkWithTrain(text + "let y = s60(1.5)\n");
  EXPECT_EQ(outcome.firstKind(), "work-limit");
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, InstancesInInstancesAreShownShort) {
  std::string models = composed("model M0(a: int) { fn forward(x) { x } }",
                                "model M%(a, b) { fn forward(x) { x } }", 1);
  std::string lets = composed("  let m0 = M0(1)", "  let m% = M1(m%<, m%<)", 60);
  TinyData data;
  CheckOutcome outcome = checkWhole("use nn, optim, data\n" + models + "train u {\n" + lets +
                                    "  let z = m60 + 1\n  data = data.idx(\"tiny\")\n}\n");
  EXPECT_TRUE(outcome.says("type-mismatch")) << outcome.said.substr(0, 2000);
  EXPECT_LT(outcome.said.size(), 20'000u);
}

TEST(Limits, AMillionModelsEnd) {
  std::string text = "model Many() {\n  let all = [nn.Linear(1, 1) for i in 0..999999]\n"
                     "  fn forward(x) { all(x) }\n}\n";
  TinyData data;
  CheckOutcome outcome =
      checkWhole("use nn, optim, data\n" + text +
                 "train u {\n  let net = Many()\n  data = data.idx(\"tiny\")\n  batch = 2\n"
                 "  fn loss(b) { mean(net(reshape(cast(b.image, f32), [batch * 6, 1]))) }\n"
                 "  optimizer = optim.SGD(lr = 0.1)\n  duration = 2 steps\n}\n");
  EXPECT_TRUE(outcome.says("error[work-limit]")) << outcome.said.substr(0, 2000);
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, RangesAndStringsAndShapesThatAreTooLarge) {
  for (const auto &[text, kind] : std::initializer_list<std::pair<const char *, const char *>>{
           {"let x = 0 .. 10 ** 12", "number-range"},
           {"let x = -(2 ** 62) .. 2 ** 62", "number-range"},
           {"let x = zeros([2 ** 63])", "number-range"},
           {"let x = zeros([0])", "bad-size"},
           {"let x = zeros([1 for i in 0..100])", "work-limit"},
           {"let x = one_hot(cast(zeros([3]), i32), 0)", "bad-size"},
           {"let x = one_hot(cast(zeros([3]), i32), -5)", "bad-size"},
           {"let x = 99999999999999999999", "number-range"},
           {"let x = 1e999", "number-range"},
           {"let x = 1e308 * 10", "number-range"},
           {"let x = 1 / 0", "division-by-zero"},
           {"let x = x + 1", "cycle"},
           {"option x = x + 1", "unknown-name"},
           {"let x = y\nlet y = x", "cycle"},
           {"fn f(x) { g(x) }\nfn g(x) { f(x) }\nlet y = f(1)", "recursion"}})
    EXPECT_EQ(checkWithTrain(std::string(text) + "\n").firstKind(), kind) << text;
  std::string strings = composed("let s0 = \"ab\"", "let s% = s%< + s%<", 60);
  EXPECT_EQ(checkWithTrain(strings).firstKind(), "number-range");
}

TEST(Limits, SizesThatOverflowAreRefused) {
  for (const char *text : {"let x = zeros([2 ** 62, 4])", "let x = zeros([2 ** 40, 2 ** 40]) + 1",
                           "let x = reshape(zeros([2 ** 31, 2 ** 31, 4]), [2 ** 32, 2 ** 32])",
                           "let x = sum(zeros([2 ** 62, 2 ** 62]))",
                           "let x = one_hot(cast(zeros([3]), i32), 2 ** 62)"})
    EXPECT_EQ(checkWithTrain(std::string(text) + "\n").firstKind(), "bad-size") << text;
}

TEST(Limits, PowersOfTheBatchEnd) {
  std::string text = "fn grow(x) { x * x }\n";
  for (int i = 0; i < 40; ++i)
    text += "let n" + std::to_string(i) + " = " +
            (i == 0 ? "batch + 1" : "grow(n" + std::to_string(i - 1) + ")") + "\n";
  CheckOutcome outcome = checkWithTrain(text);
  EXPECT_LT(outcome.seconds, secondsMax);
}

TEST(Limits, NestedTypesRecordsAndFunctionsAreTakenOrRefused) {
  for (int depth : {10, 200, 300, 5000})
    for (const auto &[before, after] : std::initializer_list<std::pair<const char *, const char *>>{
             {"[", "]"},
             {"(a = ", ")"},
             {"(fn() { ", " })()"},
             {"[", " for i in [1]]"},
             {"if true { ", " } else { 1 }"},
             {"exp(", ")"}}) {
      std::string text = "let x = ";
      for (int i = 0; i < depth; ++i)
        text += before;
      text += "1.5";
      for (int i = 0; i < depth; ++i)
        text += after;
      CheckOutcome outcome = checkWithTrain(text + "\n");
      bool isKnown = outcome.said.empty() || outcome.firstKind() == "nesting" ||
                     outcome.firstKind() == "number-range";
      EXPECT_TRUE(isKnown) << depth << " " << before << outcome.said.substr(0, 500);
      if (depth == 5000) EXPECT_EQ(outcome.firstKind(), "nesting");
    }
}

TEST(Limits, ListsThatShareTheirPartsAreAsLargeAsTheyLook) {
  for (const char *made : {"[a{}, a{}]", "(x = a{}, y = a{})", "[1 => a{}, 2 => a{}]"}) {
    std::string text = "let a0 = [1]\n";
    for (int i = 0; i < 40; ++i) {
      std::string part = made;
      for (size_t at; (at = part.find("{}")) != std::string::npos;)
        part.replace(at, 2, std::to_string(i));
      text += "let a" + std::to_string(i + 1) + " = " + part + "\n";
    }
    CheckOutcome outcome = checkWhole(text + "test \"t\" { expect a40 == a40 }\n");
    EXPECT_TRUE(outcome.says("error[work-limit]: checking reaches 4000000 steps here")) << made;
  }
}

} // namespace dlm::sema
