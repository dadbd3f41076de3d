// A `require` on an option that stays open is tested when a program runs: as one or more
// comparisons of an option with a number. `2 * lr <= 0.1` is such a comparison too, turned round.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/sema/value/Value.h"

#include <optional>

namespace dlm::sema {

class Evaluator;

/// The expressions that `and` joins, in order.
std::vector<const ast::Expr *> partsOfCondition(const ast::Expr &condition);

/// What a part of a condition, which is a tensor, says of one open option; nothing if it says
/// something else.
std::optional<CommandTest> testOfOption(Evaluator &evaluator, const ast::Expr &part,
                                        const ScopePtr &scope);

/// In a command: what a part of a condition says of the number of tokens of a text, which is
/// bounded from here on.
std::optional<CommandTest> testOfTokens(Evaluator &evaluator, const ast::Expr &part,
                                        const ScopePtr &scope);

/// Whether a value of an option or an argument, as the run will see it, fulfils a test.
bool fulfils(double value, DType dtype, const CommandTest &test);

/// `< ` for `>`, and so on: the same comparison with its sides exchanged.
std::string mirroredOrder(const std::string &op);

/// Leaves a test to the run. If the value that the option has now does not fulfil it, that is
/// reported at the place of the test.
void testWhenRun(Evaluator &evaluator, CommandTest test);

/// A condition of the program on open options that is no such comparison.
void reportOpenCondition(Evaluator &evaluator, const Operand &part);

} // namespace dlm::sema
