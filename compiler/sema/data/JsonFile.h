// JSON as a description of data is written in it: read as usual, but that a name which stands twice
// in an object, or is empty, is an error, and that an error has a line.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace dlm::sema {

/// Nothing, with a reason, if the text is not JSON or repeats a name.
std::optional<nlohmann::json> parseJson(const std::string &text, std::string &reason);

} // namespace dlm::sema
