// Programs made up at random for the tests of the formatter.
#pragma once

#include <random>
#include <string>

namespace dlm {

/// A short text of declarations as an author might never write them: any construct inside any
/// other, chains longer than a line, line ends and comments between any two tokens. Many of these
/// texts do not parse, as a line end stands where none may.
std::string randomText(std::mt19937 &random);

} // namespace dlm
