// Names that people bring along from other languages and libraries, and what they are called here.
#pragma once

#include <string>

namespace dlm::sema {

/// What a unit of elsewhere is called here, such as `GiB` for `GB`; empty if it is not known. The
/// same for the name of an argument (`over` for `dim`) and for a name in an expression (`true` for
/// `True`). The two mean the same, so an edit may be exact.
std::string unitHere(const std::string &unit);
std::string argumentHere(const std::string &name);
std::string nameHere(const std::string &name);
std::string typeHere(const std::string &name);

/// Advice for the name of an argument that is not known; empty if there is none.
std::string foreignArgumentAdvice(const std::string &name);

/// The name of an argument that means nearly the same: a guess, as its unit or scale may differ.
std::string argumentNear(const std::string &name);

/// Advice for a name that is not declared; empty if there is none.
std::string foreignNameAdvice(const std::string &name);
/// The same for `x.name`, where many words mean something that do not by themselves.
std::string foreignMemberAdvice(const std::string &name);
/// Whether it is where other libraries have their functions, such as `np`.
bool isForeignModule(const std::string &name);

} // namespace dlm::sema
