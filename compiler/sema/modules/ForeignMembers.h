// Members and types that people bring along from other libraries, by what they are asked of: the
// same word means one thing of a model and another of a tensor.
#pragma once

#include <string>

namespace dlm::sema {

/// What a member of a module or a data source is called here: `Linear` for `Dense`; empty if it is
/// not known.
std::string memberHere(const std::string &name);

/// Advice for a member of a model, a data source or a list that there is not; empty if there is
/// none.
std::string foreignModelMemberAdvice(const std::string &name);
std::string foreignDataMemberAdvice(const std::string &name);
std::string foreignListMemberAdvice(const std::string &name);

/// Advice for an argument that no layer has; empty if there is none.
std::string foreignLayerArgumentAdvice(const std::string &name);

/// Advice for a type that there is not; empty if there is none.
std::string foreignTypeAdvice(const std::string &name);

} // namespace dlm::sema
