// Names the language has and this compiler does not have yet: they are reported as such, and not
// as misspelt.
#pragma once

#include <string>

namespace dlm::sema {

/// Whether `name` belongs to the language, as a plain name (`module` empty) or of a module.
bool isLaterName(const std::string &module, const std::string &name);

} // namespace dlm::sema
