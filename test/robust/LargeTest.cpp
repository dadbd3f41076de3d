// Programs of 10,000 lines take about a second: nothing is quadratic. The limits are generous, as
// machines are busy and sanitizers slow; what is measured is printed.
#include "test/robust/CheckText.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace dlm::sema {

namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr double largeSecondsMax = 120;
#else
constexpr double largeSecondsMax = 15;
#endif
#else
constexpr double largeSecondsMax = 15;
#endif

/// The line `count` times, `%` replaced by its number and `<` by the number before.
std::string repeatedLine(const std::string &line, int count) {
  std::string text;
  for (int i = 1; i <= count; ++i)
    for (char c : line)
      if (c == '%')
        text += std::to_string(i);
      else if (c == '<')
        text += std::to_string(i - 1);
      else
        text += c;
  return text;
}

void expectFast(const char *name, const std::string &text, const std::string &said) {
  CheckOutcome outcome = checkWithTrain(text);
  std::printf("%-10s %.2f s\n", name, outcome.seconds);
  EXPECT_EQ(outcome.said.substr(0, 300), said) << name;
  EXPECT_LT(outcome.seconds, largeSecondsMax) << name;
}

} // namespace

TEST(Large, TenThousandLetsAndFunctions) {
  expectFast("lets", repeatedLine("let v% = % * 2 + 1\n", 10'000), "");
  expectFast("functions", repeatedLine("fn fun%(x) { x * % + 1 }\n", 10'000), "");
  expectFast("uses", repeatedLine("fn fun%(x) { x * % }\nlet v% = fun%(2)\n", 5'000), "");
  expectFast("models",
             repeatedLine("model M%(n: int) {\n  let a = nn.Linear(n, 3)\n"
                          "  fn forward(x) { a(x) }\n}\n",
                          2'500),
             "");
}

TEST(Large, TenThousandOptionsThatBecomeSizes) {
  std::string options = repeatedLine("option o% = %\n", 5'000);
  expectFast("options", options + repeatedLine("let z% = zeros([o%])\n", 5'000), "");
}

TEST(Large, ARunOfManyLayers) {
  std::string text = "use nn, optim, data\n";
  for (int i = 0; i < 1'000; ++i)
    text += "model M" + std::to_string(i) + "(n: int) {\n  let a = nn.Linear(n, n)\n" +
            "  let b = nn.Linear(n, n)\n  fn forward(x) {\n    let h = relu(a(x))\n" +
            "    x + b(h)\n  }\n}\n";
  text += "train t {\n";
  for (int i = 0; i < 1'000; ++i)
    text += "  let m" + std::to_string(i) + " = M" + std::to_string(i) + "(6)\n";
  text += "  data = data.idx(\"tiny\")\n  batch = 2\n  fn loss(b) {\n"
          "    let h0 = reshape(cast(b.image, f32), [batch, 6])\n";
  for (int i = 0; i < 1'000; ++i)
    text += "    let h" + std::to_string(i + 1) + " = m" + std::to_string(i) + "(h" +
            std::to_string(i) + ")\n";
  text += "    cross_entropy(h1000[:, 0:3], b.label)\n  }\n  optimizer = optim.SGD(lr = 0.1)\n"
          "  duration = 2 steps\n}\n";
  TinyData data;
  CheckOutcome outcome = checkWhole(text);
  std::printf("%-10s %.2f s\n", "layers", outcome.seconds);
  EXPECT_EQ(outcome.said.substr(0, 300), "");
  EXPECT_LT(outcome.seconds, largeSecondsMax);
}

TEST(Large, TenThousandErrors) {
  CheckOutcome outcome = checkWithTrain(repeatedLine("let v% = w%\n", 10'000));
  std::printf("%-10s %.2f s\n", "errors", outcome.seconds);
  EXPECT_TRUE(outcome.says("more errors are not shown"));
  EXPECT_LT(outcome.seconds, largeSecondsMax);
}

} // namespace dlm::sema
