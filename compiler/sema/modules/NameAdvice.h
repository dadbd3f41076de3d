// What a name may have meant that is declared nowhere.
#pragma once

#include "compiler/sema/evaluate/Context.h"

#include <string>

namespace dlm::sema {

class Evaluator;
class Report;

/// The function of the library that a name of elsewhere stands for: `silu` for `SiLU`; or nothing.
std::string libraryFunctionLike(const Evaluator &evaluator, const std::string &name);
/// For a name that is a file beside the one of the place, which does not use it; or nothing.
std::string fileAdvice(const Evaluator &evaluator, const std::string &name, Span place);
/// A declaration of the same module of the library, with a longer name, that has the parameter.
std::string otherWithParameter(const Evaluator &evaluator, const Signature &signature,
                               const std::string &parameter);
/// What to write for a member of a module that is none here, such as `np`.
void adviseForeignModule(const Evaluator &evaluator, Report &message, Span module);
/// Whether `.member` follows the name.
bool isMemberAsked(const Evaluator &evaluator, Span name);

/// Says of a string that stands for a function, such as "relu", which function that is.
void adviseFunctionOf(const Evaluator &evaluator, Report &message, const Operand &text);

/// The span with `()` behind it, if that stands there: of `ReLU()` for the function `relu`.
Span withEmptyCall(const Evaluator &evaluator, Span span);

} // namespace dlm::sema
