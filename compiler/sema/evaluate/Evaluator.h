// The heart of `check`: evaluates expressions. What is known when a program is compiled is
// computed; what is not becomes nodes of a graph. Functions and models are followed at every use
// with the arguments of that use, so shapes are always concrete but for the batch.
//
// The methods are spread over files by subject, which the headings name.
#pragma once

#include "compiler/sema/Program.h"
#include "compiler/sema/Reporter.h"
#include "compiler/sema/WorkBudget.h"
#include "compiler/sema/builtins/Builtin.h"
#include "compiler/sema/evaluate/Context.h"
#include "compiler/sema/evaluate/Observer.h"
#include "compiler/sema/modules/ModuleFiles.h"
#include "compiler/sema/tensor/TensorWriter.h"
#include "compiler/sema/value/Scope.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

class Evaluator {
public:
  Evaluator(Program &program, SourceManager &sources, ModuleFiles &modules,
            DiagnosticEngine &diagnostics, WorkBudget &budget);
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;
  ~Evaluator();
  ScopePtr makeScope(const ScopePtr &parent);

  // Expressions, Subscripts, Members.
  Value eval(const ast::Expr &expr, const ScopePtr &scope);
  Operand evalOperand(const ast::Expr &expr, const ScopePtr &scope);
  Value evalBlock(const ast::Block &block, const ScopePtr &scope);
  Value evalRequire(const ast::Stmt &statement, const ScopePtr &scope, bool isOfProgram = false);
  void checkConditions(); // of the program
  void evalExpect(const ast::Stmt &statement, const ScopePtr &scope);
  /// The sides because of which a condition does not hold, for messages.
  KnownSides sidesOf(const ast::Expr &condition, const ScopePtr &scope);
  Value force(Binding &binding, Span use);
  Value member(const Operand &base, const std::string &name, Span nameSpan);
  Value subscript(const ast::Expr &expr, const ScopePtr &scope);
  Value tensorSubscript(const ast::Expr &expr, const Operand &base, const ScopePtr &scope);
  std::vector<Value> partsOf(const ast::Pattern &pattern, const Value &value, Span valueSpan);
  /// Binds a pattern; reports names taken already.
  void bind(const ast::Pattern &pattern, const Value &value, Span valueSpan, Scope &scope,
            Declared declared);
  void declare(Scope &scope, const ast::Name &name, Binding binding);

  // Operators.
  Value binary(const std::string &op, const Operand &lhs, const Operand &rhs, Span span,
               Span opSpan);
  Value unary(const std::string &op, const Operand &x, Span span);
  /// Both sides as tensors of one dtype and shape, by the literal and stretching rules.
  std::optional<std::pair<Tensor, Tensor>> unify(const std::string &op, const Operand &lhs,
                                                 const Operand &rhs, Span span);

  // Sizes.
  /// `a op b` of sizes and exact numbers, at least one of them open until run time. Nothing if it
  /// is not a size: then it is a number of the running program, or has no meaning.
  std::optional<Value> binarySizes(const std::string &op, const Operand &lhs, const Operand &rhs,
                                   Span opSpan);
  /// A size as a scalar of the running program; the batch is the whole one, never a part of it.
  Tensor sizeTensor(const Extent &size);
  /// A size that is at least 1; what the batch has to be a multiple of is noted. Nothing means
  /// reported.
  std::optional<Extent> needSize(const Operand &operand, const std::string &what);
  /// Whether a size is whole for each value that its symbols can have; if not, that is reported.
  bool requireWhole(const Extent &size, const Operand &operand, const std::string &what);

  // Calls, Functions, Models.
  Value call(const Operand &callee, std::vector<CallArgument> arguments, const ScopePtr &scope,
             Span span);
  std::optional<std::vector<int>> match(const Signature &signature,
                                        const std::vector<CallArgument> &arguments, Span span);
  /// Probabilities in the place of logits.
  void warnOfProbabilities(const Value &logits, Span span);
  Value callFunction(const FunctionObject &function, std::vector<CallArgument> arguments,
                     const ScopePtr &scope, Span span);
  Value instantiate(const ModelObject &model, std::vector<CallArgument> arguments,
                    const ScopePtr &scope, Span span);
  Value makeFunction(const ast::Function &function, const ScopePtr &scope);
  /// What a stored tensor or a member is where something was made of the model it belongs to.
  Value underMarker(const Value &value, int marker);
  void addMember(const ast::Member &member, const ScopePtr &inner, InstanceObject &instance);

  // Types.
  /// Checks a value against a declared type, binding new dimension names in `scope`.
  Value conform(const ast::TypeRef &type, const Operand &operand, const ScopePtr &scope,
                const std::string &what, bool mayBind);
  /// The tensor type that a stored tensor is declared with.
  std::optional<TensorType> storedType(const ast::TypeRef &type, const ScopePtr &scope);
  std::optional<Dim> evalDim(const ast::Expr &expr, const ScopePtr &scope);

  // Concrete: what must be known when the program is compiled. Nothing means reported.
  /// Fixes the options a scalar is computed from; false if none, or not of them and sizes alone.
  bool fixOptions(const Value &value);
  std::optional<Number> needNumber(const Operand &operand, const std::string &what);
  std::optional<int64_t> needInt(const Operand &operand, const std::string &what);
  std::optional<bool> needBool(const Operand &operand, const std::string &what);
  std::optional<std::string> needString(const Operand &operand, const std::string &what);
  std::optional<Tensor> needTensor(const Operand &operand, const std::string &what);
  std::optional<std::vector<Dim>> needShape(const Operand &operand);
  /// The number as a tensor of this dtype, if it can be represented.
  std::optional<Tensor> literal(const Operand &operand, DType dtype, const Operand &beside);
  /// The axes that `over` names in the tensor, which is argument `subject`; without it, all.
  std::optional<std::vector<int64_t>> axes(const BuiltinCall &call, size_t index,
                                           const Tensor &tensor, size_t subject = 0);
  /// The one axis that an `over` argument names.
  std::optional<int64_t> axis(const BuiltinCall &call, size_t index, const Tensor &tensor);
  /// The element type that a value such as `f32` names.
  std::optional<DType> needDType(const Operand &operand);

  // Modules, Options.
  /// Declares everything a file declares in `scope`.
  void loadFile(const ast::File &file, const ScopePtr &scope, bool isLibrary);
  std::string moduleAdvice(const std::string &name);
  Value evalQuantity(const std::string &number, const std::string &unit, Span span);

  /// Takes steps from the budget; false if there are none left, which is reported once.
  bool spend(size_t steps, Span span);
  Value notYet(Span span, const std::string &construct);
  /// Adds a component to the path that instances made from here on get.
  void enterPath(const std::string &component);

  Program &program;
  SourceManager &sources;
  ModuleFiles &modules;
  Reporter report;
  TensorWriter tensors;
  WorkBudget &budget;
  Context context;
  ScopePtr library;                  // names seen everywhere
  Observer *observer;                // null but for editors
  const ast::Expr *openIf = nullptr; // the last `if` that gave nothing, for want of an `else`
  std::set<const void *> followed{}; // bodies and models evaluated so far, for an observer

private:
  bool weigh(const ast::Expr &expr, const Value &made);
  Value evalUncounted(const ast::Expr &expr, const ScopePtr &scope);
  Value evalName(const ast::Expr &expr, const ScopePtr &scope);
  Value evalAmbient(const ast::Expr &expr, const ScopePtr &scope);
  Value evalLiteral(const ast::Expr &expr);
  Value evalChain(const ast::Expr &expr, const ScopePtr &scope);
  Value evalLogic(const ast::Expr &expr, const Operand &lhs, const ScopePtr &scope);
  Value evalPipe(const ast::Expr &expr, const Operand &lhs, const ScopePtr &scope);
  Value evalRecord(const ast::Expr &expr, const ScopePtr &scope);
  Value evalList(const ast::Expr &expr, const ScopePtr &scope);
  Value lookUp(const MapObject &map, const Operand &key);
  Value evalComprehension(const ast::Expr &expr, const ScopePtr &scope);
  bool evalClause(const ast::Expr &expr, size_t clause, const ScopePtr &scope,
                  std::vector<Value> &items);
  Value evalIf(const ast::Expr &expr, const ScopePtr &scope);
  void evalNext(const ast::Stmt &statement, const ScopePtr &scope);
  void nextOfBuffer(const ast::Stmt &statement, const Operand &operand, const ScopePtr &scope);
  std::optional<Tensor> bufferTensor(const Operand &operand, const Buffer &buffer);
  std::vector<CallArgument> argumentsOf(const ast::Expr &call);
  Value binaryTensors(const std::string &op, const Operand &lhs, const Operand &rhs, Span span,
                      Span opSpan);
  Value matmul(const Operand &lhs, const Operand &rhs, Span span, Span opSpan);
  Value callBuiltin(const Operand &callee, std::vector<CallArgument> arguments,
                    const ScopePtr &scope, Span span);
  void collectFurther(const SignatureNames &names, std::vector<CallArgument> &arguments,
                      const ScopePtr &scope, BuiltinCall &call);
  Value choose(const Operand &operand, const std::string &parameter,
               const std::vector<std::string> &words);
  Value callMarked(const MarkedObject &marked, const Operand &callee,
                   std::vector<CallArgument> arguments, const ScopePtr &scope, Span span);
  Value applyList(const Operand &callee, std::vector<CallArgument> arguments, const ScopePtr &scope,
                  Span span);
  Value makeOptimizer(const OptimizerObject &optimizer, std::vector<CallArgument> arguments,
                      const ScopePtr &scope, Span span);
  void evalArguments(std::vector<CallArgument> &arguments, const ScopePtr &scope,
                     const Signature *signature = nullptr);
  void evalUnheard(std::vector<CallArgument> arguments, const ScopePtr &scope);
  bool bindParameters(const std::vector<ast::Param> &params, const Signature &signature,
                      const std::vector<CallArgument> &arguments, const ScopePtr &inner, Span span,
                      std::string &text);
  void addStored(const ast::Stored &stored, const ScopePtr &inner, const InstanceObject &instance);
  std::optional<Tensor> initialTensor(const ast::Stored &stored, const TensorType &type,
                                      const ScopePtr &scope);
  void declareLibrary();
  void declareLet(const ast::Stmt &let, const ScopePtr &scope, bool isLibrary);
  void declareOption(const ast::Option &option, const ScopePtr &scope);
  Value loadModule(const ast::Use &use, FileId from);
  bool isCircle(const ast::Use &use, FileId file);
  std::map<std::string, ScopePtr> moduleScopes;        // by path
  std::vector<std::pair<FileId, std::string>> loading; // files whose `use` lines are being followed
  std::vector<std::weak_ptr<Scope>> scopes;            // all that were made, and still are
  size_t scopesMax = 1024;
  std::set<std::pair<const ast::Expr *, uint32_t>> unknown; // names reported, and where shown
  int depth = 0;                                            // of nested evaluations
  uint32_t callCount = 0;                                   // of functions followed so far
};

} // namespace dlm::sema
