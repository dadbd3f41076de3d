// The names are looked at before the value is built, as the later of two would replace the other.
#include "compiler/sema/data/JsonFile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace dlm::sema {

namespace {

using nlohmann::json;

class NameCheck : public nlohmann::json_sax<json> {
public:
  NameCheck(const std::string &text, std::string &reason) : text(text), reason(reason) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }

  bool start_object(size_t) override {
    names.emplace_back();
    return true;
  }
  bool end_object() override {
    names.pop_back();
    return true;
  }

  bool key(string_t &name) override {
    if (name.empty())
      reason = "a name in it is empty";
    else if (!names.back().insert(name).second)
      reason = "`" + name + "` stands twice in it";
    return reason.empty();
  }

  bool parse_error(size_t position, const std::string &, const json::exception &) override {
    size_t end = std::min(position, text.size());
    auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(end), '\n');
    reason = "it is not JSON: line " + std::to_string(line) + " is wrong, or ends too early";
    return false;
  }

private:
  const std::string &text;
  std::string &reason;
  std::vector<std::set<std::string>> names; // of the objects around, inmost last
};

} // namespace

std::optional<json> parseJson(const std::string &text, std::string &reason) {
  NameCheck check(text, reason);
  if (!json::sax_parse(text, &check)) return std::nullopt;
  return json::parse(text, nullptr, false);
}

} // namespace dlm::sema
