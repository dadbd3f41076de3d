// A row for each thing that has to wait; what is not in a table can be lowered. When an operation
// gets its op and its kernels, its name goes into `loweredOps`, and its row goes away.
#include "compiler/lower/NotYet.h"

#include "compiler/sema/DTypes.h"
#include "compiler/sema/GraphBuilder.h"
#include "compiler/sema/Value.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace dlm::lower {

namespace {

const std::set<std::string> &loweredOps() {
  static const std::set<std::string> names = {
      "abs",    "add",       "ambient",       "and",      "argmax", "batch_reduce", "broadcast",
      "cast",   "ceil",      "compare",       "constant", "cos",    "dense",        "div",
      "erf",    "exp",       "floor",         "gradient", "input",  "iota",         "log",
      "matmul", "max",       "min",           "mul",      "neg",    "not",          "option",
      "or",     "parameter", "pow",           "random",   "reduce", "relu",         "reshape",
      "round",  "rsqrt",     "sample_count",  "select",   "share",  "sign",         "sin",
      "sqrt",   "state",     "stop_gradient", "sub",      "tanh",   "target",       "transpose"};
  return names;
}

/// Why an operation has to wait, where more can be said than that it does.
const std::map<std::string, std::string> &reasons() {
  static const std::map<std::string, std::string> rows = {
      {"random", "random numbers in a loss need the place of each sample in the whole batch"}};
  return rows;
}

bool isLoweredDType(sema::DType dtype) {
  using sema::DType;
  return dtype == DType::Bool || dtype == DType::U8 || dtype == DType::I32 || dtype == DType::I64 ||
         dtype == DType::F32;
}

class NotYetReporter {
public:
  explicit NotYetReporter(DiagnosticEngine &diagnostics) : diagnostics(diagnostics) {}

  void operator()(Span span, const std::string &what, const std::string &reason) {
    diagnostics.report(Kind::NotYet, span, what + " cannot be compiled yet: " + reason);
  }

  void checkGraph(const sema::Graph &graph, bool isHook) {
    for (const sema::Node &node : graph.nodes) {
      bool isKnown = loweredOps().count(node.op) != 0 && !(isHook && node.op == "random");
      if (!isKnown) {
        auto reason = reasons().find(node.op);
        (*this)(node.span, "`" + node.op + "`",
                reason == reasons().end() ? "no kernel computes it" : reason->second);
      } else if (!isLoweredDType(node.type.dtype)) {
        (*this)(node.span, std::string("`") + sema::dtypeName(node.type.dtype) + "`",
                "no kernel computes with this type");
      } else if (isHook) {
        checkBatchAxis(node);
      }
    }
  }

  void checkData(const sema::DataSource &data) {
    if (data.kind != "idx")
      (*this)(data.span, "`data." + data.kind + "`", "nothing reads such files");
    else if (!data.description.empty())
      diagnostics
          .report(Kind::DataSource, data.span, "the data is not there, only a description of it")
          .note("the data is looked for in " + data.path)
          .note("the description is " + data.description);
    if (!data.maps.empty())
      (*this)(data.maps[0].span, "`data.map`", "the loader gives samples as they are");
  }

  /// Each micro-batch would divide by a count of the whole batch, which is not complete then.
  void checkCount(const sema::TypedProgram &program) {
    const sema::Settings &settings = program.settings;
    const sema::Node *count = sema::gradeOf(program.loss).count;
    if (count && settings.micro > 0 && settings.micro < settings.batch)
      (*this)(count->span, "a mean over chosen samples in micro-batches",
              "what it divides by is complete only after the last of them");
  }

private:
  /// The batch is the outermost axis of what is computed so far, and the only size left open.
  void checkBatchAxis(const sema::Node &node) {
    for (size_t axis = 0; axis < node.type.dims.size(); ++axis) {
      const sema::Dim &dim = node.type.dims[axis];
      if (dim.isWhole() || (axis == 0 && dim.isBatch())) continue;
      bool isBatch = dim.isBatch();
      return (*this)(node.span, "`" + sema::typeText(node.type) + "`",
                     isBatch ? "the batch axis has to be the first"
                             : "the size `" + sema::dimText(dim) + "` is known at run time only");
    }
  }

  DiagnosticEngine &diagnostics;
};

} // namespace

void reportNotYet(const sema::TypedProgram &program, DiagnosticEngine &diagnostics) {
  NotYetReporter report(diagnostics);
  report.checkData(program.data);
  for (const sema::Graph *graph : {&program.loss, &program.evaluationLoss, &program.metrics})
    report.checkGraph(*graph, true);
  for (const sema::Parameter &parameter : program.parameters)
    report.checkGraph(parameter.init, false);
  report.checkGraph(program.optimizer.update, false);
  report.checkCount(program);
}

} // namespace dlm::lower
