// The members of data sources and of the columns of a table.
#pragma once

#include "compiler/sema/value/Value.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

/// `source.name`: a number that was read when the program was compiled, or a function. Nothing if
/// the source has no such member.
std::optional<Value> dataMember(const Value &base, const std::string &name);
std::vector<std::string> dataMemberNames(const DataSource &data);

/// `columns.name`: `numbers` (how many), `categories` (records with `name` and `size`), `names`,
/// `index(name)`.
std::optional<Value> columnsMember(const Value &base, const std::string &name);
std::vector<std::string> columnsMemberNames();

} // namespace dlm::sema
