// What a call may have meant that cannot be made: of a value that is none to call, of a model that
// says what it computes under another name, with arguments that are not needed here.
#pragma once

#include "compiler/sema/value/Value.h"

#include <string>
#include <vector>

namespace dlm::sema {

class Evaluator;
class Report;
struct CallArgument;
struct InstanceObject;
struct ModelObject;
struct Signature;

/// For a value that cannot be called.
void adviseNotCallable(const Evaluator &evaluator, Report &message, const Operand &callee,
                       const std::vector<CallArgument> &arguments, Span call);
/// For a model that is called and has no `forward`: the function that was meant to be it.
void adviseNoForward(Report &message, const InstanceObject &instance);
/// For a model that is made where one that exists should be called.
void adviseInstance(const Evaluator &evaluator, Report &message, const ModelObject &model,
                    const Scope &scope, Span call);
/// What the wrong name of an argument means.
struct MeantArgument {
  std::string certain; // the parameter that it certainly is, or
  std::string near;    // one that may be meant
  std::string advice;  // empty: the parameters tell
};

MeantArgument meantArgument(const Evaluator &evaluator, const Signature &signature,
                            const std::string &name);
/// Returns the parameter that was certainly meant, or an empty text.
std::string reportUnknownArgument(Evaluator &evaluator, const Signature &signature,
                                  const CallArgument &argument);
/// Reports the parameters that a call gives no argument, and what was made of those it has.
void reportMissing(Evaluator &evaluator, const Signature &signature,
                   const std::vector<CallArgument> &arguments, const std::vector<int> &matched,
                   Span call);
/// Takes arguments such as `net.parameters()` out of those of an optimizer, and reports them.
void dropParameters(Evaluator &evaluator, const std::string &optimizer,
                    std::vector<CallArgument> &arguments);
/// For an argument without a name behind one that has one: `0,001`, or the name it may need.
void adviseOrder(const Evaluator &evaluator, Report &message, const Operand &before,
                 const Operand &argument, const std::string &freeParameter);

} // namespace dlm::sema
