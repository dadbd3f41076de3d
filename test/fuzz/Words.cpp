// Tables; new ideas are new rows.
#include "test/fuzz/Words.h"

namespace dlm::fuzz {

std::string extremeNumber(Random &random) {
  static const std::vector<std::string> numbers = {
      "0",
      "1",
      "-1",
      "2",
      "7",
      "0.0",
      "-0.0",
      "0.5",
      "255",
      "256",
      "1e308",
      "1e-308",
      "1e-400",
      "1e400",
      "9e18",
      "2147483647",
      "2147483648",
      "4294967296",
      "9007199254740993",
      "9223372036854775807",
      "9223372036854775808",
      "(-9223372036854775807 - 1)",
      "18446744073709551616",
      "(2 ** 62)",
      "(2 ** 63)",
      "(2 ** -63)",
      "(2 ** 4095)",
      "(10 ** 12)",
      "(1 / 3)",
      "(1 / 9223372036854775807)",
      "(-7) % 3",
      "1_000_000",
      "1000001",
      "3_000_000_000",
      "0%",
      "100%",
      "250%",
      "0 steps",
      "1 steps",
      "9223372036854775807 steps",
      "0.5 epochs",
      "0.3 steps",
      "1e18 epochs",
      "0ms",
      "30min",
      "9223372036854775807d",
      "16GiB",
      "9223372036854775807TiB",
      "3 parsecs",
      "(1e308 * 10)",
      "(0.0 / 0.0)",
      "(1 / 0)",
      "sqrt(-1)",
      "log(0)",
      "(0 ** 0)",
      "(0 ** -1)",
      "(-8) ** (1 / 3)",
      "(0 .. 1000000)",
      "(0 .. 10 ** 12)",
      "(5 .. 2)",
      "inf",
      "nan",
  };
  if (random.oneIn(12)) return std::string(1 + random.below(400), char('0' + random.below(10)));
  if (random.oneIn(12)) return "0." + std::string(1 + random.below(400), '3');
  return random.pick(numbers);
}

std::string extremeString(Random &random) {
  static const std::vector<std::string> contents = {
      "",
      "tiny",
      "a\\nb",
      "\\u{0}",
      "\\u{10FFFF}",
      "\\u{D800}",
      "\\u{FFFFFFFFFF}",
      "\\q",
      "\\\\",
      "\\\"",
      "\xFF",
      "\xC3",
      "\xED\xA0\x80",
      "\xF4\x90\x80\x80",
      "\xE2\x80\xAE",
      "\xEF\xBB\xBF",
      "b h w -> b (h w)",
      "b (h h) -> b h",
      "-> ",
      "((((",
      "i j, j k -> i k",
      "... d -> d ...",
      "../../tiny",
      "/dev/zero",
      "/dev/null",
      "/",
      ".",
  };
  if (random.oneIn(10)) return "\"" + std::string(random.below(60'000), 'x') + "\"";
  if (random.oneIn(20)) return std::string("\"a\0b\"", 5);
  return "\"" + random.pick(contents) + "\"";
}

std::string rawBytes(Random &random) {
  static const std::vector<std::string> pieces = {std::string("\0", 1),
                                                  "\xFF",
                                                  "\xEF\xBB\xBF",
                                                  "\r",
                                                  "\r\n",
                                                  "\t",
                                                  "\x1B[31m",
                                                  "\x7F",
                                                  "\xC2\xA0",
                                                  "\\",
                                                  "\"",
                                                  "`",
                                                  "$",
                                                  "#",
                                                  "//",
                                                  "/*",
                                                  "\xE2\x80\xA8",
                                                  "\x0B",
                                                  "'",
                                                  "{",
                                                  "}",
                                                  "((",
                                                  "]]",
                                                  "|",
                                                  "\xF0\x9F\x98\x80",
                                                  "a\xCC\x81"};
  if (random.oneIn(3)) return std::string(1, char(random.below(256)));
  return random.pick(pieces);
}

} // namespace dlm::fuzz
