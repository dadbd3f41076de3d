// Names that people bring along from other languages and libraries, and what they are called here.
#pragma once

#include <string>

namespace dlm::sema {

/// Advice for a name that is not declared; empty if there is none.
std::string foreignNameAdvice(const std::string &name);

} // namespace dlm::sema
