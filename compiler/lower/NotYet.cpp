// A row for each thing that has to wait; what is not in a table can be lowered. When an operation
// gets its op and its kernels, its name goes into `loweredOps`, and its row goes away; so does its
// name in the section "Not yet" of the reference.
#include "compiler/lower/NotYet.h"

#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/LoopLimits.h"
#include "compiler/lower/OpenSizes.h"
#include "compiler/lower/Shadows.h"
#include "compiler/lower/Updates.h"
#include "compiler/sema/settings/SettingReader.h"
#include "compiler/sema/tensor/GraphBuilder.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/tensor/Markers.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Value.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dlm::lower {

namespace {

const std::set<std::string> &loweredOps() {
  static const std::set<std::string> names = [] {
    std::istringstream words(
        "abs add ambient and argmax argmin batch_contract batch_reduce broadcast buffer capture "
        "cast ceil compare concat constant contract convolution convolution_transpose cos cumsum "
        "dense div dynamic_slice erf exp flip floor gather gradient gradient_of input iota log "
        "matmul max min mul neg not option or order pad parameter pow random reduce relu rem "
        "reshape round rsqrt sample_count scan scan_result select share sign sin slice slot sqrt "
        "state stop_gradient sub tanh target top_k transpose variable weights windows");
    return std::set<std::string>(std::istream_iterator<std::string>(words), {});
  }();
  return names;
}

/// What a graph is for.
enum class GraphPlace {
  Training, // it has the axis of a batch
  Hook,     // the same, of a part of the samples that an evaluation sees
  Predict,  // of `fn predict`: of samples that nobody numbers
  Rule,     // of an optimizer
  Rate,     // the learning rate of that, which a run reports
  Command,
  Start, // of a parameter or buffer, or a test
  Fit,   // of `data.fit`: computed before the run
  Sample // of a source, by `data.map`
};

/// How many elements are sorted: each is compared with each.
constexpr int64_t SortedMax = 4096;

/// How many whole numbers can be drawn from.
constexpr int64_t RandomRangeMax = int64_t(1) << 24;

/// An operation that has to wait: what it is in programs, and why. The reference lists all of them,
/// see test/e2e/readme_test.py.
struct WaitingOp {
  std::string written;
  std::string reason = "no kernel computes it";
};

const std::map<std::string, WaitingOp> &waitingOps() {
  static const std::map<std::string, WaitingOp> rows = {
      {"decode", {"`decode`"}},
      {"encode", {"`encode`"}},
      {"extent", {"a size as a number", "sizes that only the run knows are not told to a step"}},
      {"fit", {"`data.fit`", "a test reads no data"}},
      {"fit.ambient", {"a number of the run in `data.fit`", "it is computed before the run"}},
      {"fit.option", {"an option in `data.fit`", "it is computed before the run that sets it"}},
      {"generate", {"`generate` outside of commands", "only a command runs a model many times"}},
      {"rate.random", {"a learning rate by `random`", "a run would report another draw of it"}},
      {"shadow",
       {"a copy or an average of a model", "a test stores the parameters of its models only"}},
  };
  return rows;
}

bool isLoweredDType(sema::DType dtype) {
  using sema::DType;
  return dtype == DType::Bool || dtype == DType::U8 || dtype == DType::I32 || dtype == DType::I64 ||
         dtype == DType::F32;
}

bool isStored(sema::DType dtype) {
  using sema::DType;
  return dtype == DType::F32 || dtype == DType::I32 || dtype == DType::I64;
}

std::string storedReason(sema::DType dtype) {
  return std::string("a run stores `f32 i32 i64`, and no `") + sema::dtypeName(dtype) + "`";
}

bool isSampleNumber(const sema::Node &node) {
  return node.op == "iota" && node.type.dims[node.ints[0]].extent.countsSamples();
}

/// Whether it is known where each part begins, perhaps from the number of samples.
bool isPlacedPart(const sema::Node &node) {
  return std::all_of(node.extents.begin(), node.extents.end(), [](const sema::Extent &begin) {
    return begin.evaluate({{sema::batchSymbol, 1}}).has_value();
  });
}

const sema::Dim &sortedDim(const sema::Graph &graph, const sema::Node &node) {
  return graph.nodes[node.operands[0]].type.dims.back();
}

bool sortsTooMuch(const sema::Graph &graph, const sema::Node &node) {
  if (node.op != "order" && node.op != "top_k") return false;
  const sema::Dim &along = sortedDim(graph, node);
  return !along.isWhole() || along.size() > SortedMax;
}

/// Whether what is drawn or numbered is of a size that is not in proportion to the samples: where
/// in the whole batch it stands nobody counts.
bool isOutOfProportion(const sema::Node &node) {
  std::optional<SampleAxis> counted = countedAxis(node.type);
  if (isSampleNumber(node)) return !counted || counted->axis != node.ints[0];
  if (node.op != "random" || counted) return false;
  return std::any_of(node.type.dims.begin(), node.type.dims.end(),
                     [](const sema::Dim &dim) { return dim.extent.countsSamples(); });
}

class NotYetReporter {
public:
  /// `fittedOn`: the data that a run reads, whose samples `data.fit` may look at.
  explicit NotYetReporter(DiagnosticEngine &diagnostics, const sema::DataSource *fittedOn = nullptr)
      : diagnostics(diagnostics), fittedOn(fittedOn) {}
  NotYetReporter(const NotYetReporter &) = delete;
  NotYetReporter &operator=(const NotYetReporter &) = delete;

  /// Reports what was found: each kind once, at its first place.
  ~NotYetReporter() {
    for (const Found &each : found) {
      DiagnosticBuilder message = diagnostics.report(
          Kind::NotYet, each.places[0], each.what + " cannot be compiled yet: " + each.reason);
      size_t others = each.places.size() - 1;
      if (others > 0)
        message.note("the same holds at " + std::to_string(others) + " other place" +
                     (others == 1 ? "" : "s"));
    }
  }

  /// Things of one kind have one reason, and the same `kind`, if that is given.
  void operator()(Span span, const std::string &what, const std::string &reason,
                  const std::string &kind = "") {
    std::string key = (kind.empty() ? what : kind) + ": " + reason;
    auto known = std::find_if(found.begin(), found.end(),
                              [&](const Found &each) { return each.key == key; });
    if (known == found.end()) known = found.insert(found.end(), {key, what, reason, {}});
    if (!std::count(known->places.begin(), known->places.end(), span))
      known->places.push_back(span);
  }

  /// `depth`: how many loops the graph stands in.
  void checkGraph(const sema::Graph &graph, GraphPlace place, int depth = 0) {
    bool isHook =
        place == GraphPlace::Hook || place == GraphPlace::Training || place == GraphPlace::Predict;
    for (const sema::Node &node : graph.nodes) {
      if (node.op == "fit" && fittedOn) {
        checkFit(node);
        continue;
      }
      if (auto limit = loopLimitOf(graph, node, depth)) {
        (*this)(node.place(), limit->what, limit->reason);
        continue;
      }
      if (node.op == "scan") checkGraph(*node.bodies[0], place, depth + 1);
      if (node.op == "shadow" && isCarried(node.type))
        (*this)(node.place(), "a copy or an average of a buffer over the batch",
                "it is carried from one batch to the next");
      // What is stored for a copy or an average is reported with that, but a test has no list.
      if (node.op == "shadow" && place != GraphPlace::Start) continue;
      bool isPlaced = node.op != "random" || place != GraphPlace::Rate;
      if (place == GraphPlace::Command && (node.op == "argument" || node.op == "extent")) continue;
      bool isOfRun = place == GraphPlace::Fit && (node.op == "ambient" || node.op == "option");
      bool isKnown = loweredOps().count(node.op) != 0 && isPlaced && !isOfRun;
      bool isCounted = node.op == "ambient" && node.text != "step" && node.text != "steps" &&
                       node.text != "updates";
      if (node.op == "ambient" && place == GraphPlace::Sample) {
        (*this)(node.place(), "`" + node.text + "` in `data.map`",
                "a sample is made without regard to the step that sees it");
      } else if (isCounted && !isOfRun) {
        (*this)(node.place(), "`" + node.text + "`", "a step is told `step` and `steps` only");
      } else if (!isKnown) {
        auto row = waitingOps().find((isOfRun ? "fit." : isPlaced ? "" : "rate.") + node.op);
        WaitingOp waiting =
            row == waitingOps().end() ? WaitingOp{"`" + node.op + "`"} : row->second;
        (*this)(node.place(), waiting.written, waiting.reason);
      } else if (node.op == "random" && node.text == "int" &&
                 node.ints[1] - node.ints[0] > RandomRangeMax) {
        (*this)(node.place(), "`random.int` of so many numbers", "a draw has 24 bits");
      } else if (isHook && isOutOfProportion(node)) {
        (*this)(node.place(),
                node.op == "random" ? "`random` of a size that is not in proportion to the samples"
                                    : "numbering what is not in proportion to the samples",
                "a step counts samples");
      } else if (sortsTooMuch(graph, node)) {
        checkSorted(graph, node);
      } else if (!isLoweredDType(node.type.dtype)) {
        (*this)(node.place(), typeName(node), "no kernel computes with this type");
      } else if (isHook && node.op == "share" && node.type.dtype != sema::DType::F32) {
        (*this)(node.place(), "adding a whole number to a sum over samples",
                "a micro-batch would count a part of it");
      } else if (!isPlacedPart(node)) {
        (*this)(node.place(), "a part of a tensor", "where it begins is known at run time only");
      } else if (isHook) {
        checkBatchAxis(node, place);
      } else if (place == GraphPlace::Sample) {
        checkSizes(node);
      }
    }
  }

  /// What `data.fit` computes is of the training samples that the run reads.
  void checkFit(const sema::Node &node) {
    const sema::Graph &fit = *node.bodies[0];
    const sema::DataSource &source = *fit.source;
    auto key = [](const sema::DataSource &data) {
      return std::tie(data.kind, data.path, data.facts, data.trainCount);
    };
    if (!source.maps.empty())
      (*this)(node.place(), "`data.fit` of samples that `data.map` makes",
              "they are made during a run only");
    else if (key(source) != key(*fittedOn))
      (*this)(node.place(), "`data.fit` of other data than the run's", "a run reads one source");
    checkGraph(fit, GraphPlace::Fit);
  }

  void checkState(const sema::OptimizerRule &rule, const sema::OptimizerState &state) {
    if (isStored(state.type.dtype)) return;
    (*this)(rule.span, "the state `" + state.name + "` of `" + rule.name + "`",
            storedReason(state.type.dtype));
  }

  void checkBuffer(const sema::Buffer &buffer, const sema::Settings &settings) {
    std::string reason = whyNotCarried(buffer, settings);
    if (!reason.empty())
      (*this)(buffer.span, "a buffer over the batch, such as `" + buffer.path + "`,", reason,
              "per stream");
    else if (!isStored(buffer.type.dtype))
      (*this)(buffer.span, "the buffer `" + buffer.path + "`", storedReason(buffer.type.dtype));
    checkGraph(buffer.init, GraphPlace::Start);
  }

  void checkData(const sema::DataSource &data) {
    static const std::set<std::string> readKinds = {"csv", "idx",  "images", "jsonl",
                                                    "npy", "text", "tokens"};
    if (!readKinds.count(data.kind))
      (*this)(data.span, "`data." + data.kind + "`", "nothing reads such files");
    else if (!data.description.empty())
      diagnostics
          .report(Kind::DataSource, data.span, "the data is not there, only a description of it")
          .note("the data is looked for in " + data.path)
          .note("the description is " + data.description);
    for (const sema::SampleMap &map : data.maps)
      for (const sema::Graph *graph : {&map.training, &map.evaluation})
        checkGraph(*graph, GraphPlace::Sample);
    for (const sema::Field &field : data.rawFields)
      for (const sema::Dim &dim : field.type.dims)
        if (!dim.isWhole())
          (*this)(data.span, "a source whose samples differ in size",
                  "memory for samples is planned for one size");
  }

  /// Each micro-batch would divide by a count of the whole batch, which is not complete then.
  void checkCount(const sema::TypedProgram &program) {
    const sema::Settings &settings = program.settings;
    const sema::Node *count = sema::gradeOf(program.loss).count;
    if (count && settings.micro > 0 && settings.micro < settings.batch)
      (*this)(count->place(), "a mean over chosen samples in micro-batches",
              "what it divides by is complete only after the last of them");
  }

  /// An evaluation knows how many samples there are when it has seen them all.
  void checkEvaluated(const sema::Graph &graph) {
    checkGradients(graph);
    std::vector<bool> counts(graph.nodes.size(), false);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      const sema::Node &node = graph.nodes[i];
      auto isCount = [](const sema::Node &each) { return each.op == "sample_count"; };
      counts[i] = isCount(node) || sema::hasInside(node, isCount) ||
                  std::any_of(node.operands.begin(), node.operands.end(),
                              [&](sema::NodeId operand) { return counts[operand]; });
      bool isSum = node.op == "batch_reduce" || node.op == "batch_contract";
      if (!counts[i] || !isSum) continue;
      counts[i] = false;
      (*this)(node.place(), "a sum over samples of what depends on their number",
              "an evaluation counts them while it adds them up");
    }
  }

private:
  /// What is sorted along the samples, or too long.
  void checkSorted(const sema::Graph &graph, const sema::Node &node) {
    bool isPermutation =
        diagnostics.sources().text(node.span).find("permutation") != std::string_view::npos;
    std::string written = node.op == "top_k" ? "`top_k`"
                          : isPermutation    ? "`random.permutation`"
                                             : "`sort`";
    if (!sortedDim(graph, node).isWhole())
      (*this)(node.place(), written + " along the samples", "it would need all of them at once");
    else
      (*this)(node.place(), written + " of more than " + std::to_string(SortedMax) + " elements",
              "each would be compared with each");
  }

  /// An evaluation may leave samples at the end of a batch out, so there an axis has whole samples;
  /// nothing but their number is left open.
  void checkBatchAxis(const sema::Node &node, GraphPlace place) {
    for (const sema::Dim &dim : node.type.dims) {
      if (dim.isWhole()) continue;
      auto each = sema::Extent::divide(dim.extent, sema::Extent::batch());
      bool isOfBatch = place == GraphPlace::Training
                           ? dim.extent.symbols() == std::vector<std::string>{sema::batchSymbol}
                           : each && each->isWhole();
      if (isOfBatch) continue;
      bool isPart = dim.extent.countsSamples();
      return (*this)(node.place(), "`" + sema::typeText(node.type) + "`",
                     isPart ? "the last samples of an evaluation may be fewer than a group of them"
                            : "the size `" + sema::dimText(dim) + "` is known at run time only",
                     "shape");
    }
  }

  /// What a sample is made of has one size for all samples.
  void checkSizes(const sema::Node &node) {
    for (const sema::Dim &dim : node.type.dims)
      if (!dim.isWhole())
        return (*this)(node.place(), "`" + sema::typeText(node.type) + "`",
                       "memory for samples is planned for one size", "shape");
  }

  /// Of an evaluation: a gradient at each sample is computed with it, before the others are seen.
  void checkGradients(const sema::Graph &graph) {
    for (const sema::Node &node : graph.nodes) {
      if (node.op != "gradient_of") continue;
      if (node.grade > sema::Grade::Row || sema::gradeOf(graph, {node.operands[0]}).count)
        (*this)(node.place(), "an evaluation of a gradient that all samples have a part in",
                "each batch of it would have to know those after it");
    }
  }

  std::string typeName(const sema::Node &node) const {
    return std::string("`") + sema::dtypeName(node.type.dtype) + "`";
  }

  struct Found {
    std::string key, what, reason;
    std::vector<Span> places;
  };

  DiagnosticEngine &diagnostics;
  const sema::DataSource *fittedOn;
  std::vector<Found> found; // in the order of their first places
};

/// A setting that nothing obeys: the values that change nothing, and why others have to wait.
struct WaitingSetting {
  const char *path;
  std::vector<std::string> harmless;
  const char *reason;
};

const std::vector<WaitingSetting> &waitingSettings() {
  static const std::vector<WaitingSetting> rows = {
      {"precision", {"f32"}, "kernels compute in f32 only"},
      {"memory.budget", {"auto"}, "the plan of memory knows no budget"},
      {"memory.recompute", {"auto", "none"}, "all activations are stored"},
      {"parallel.data", {"auto", "1"}, "a run has one worker"},
      {"parallel.tensor", {"1"}, "a run has one worker"},
      {"parallel.shard", {"none"}, "a run has one worker"},
      {"parallel.split", {}, "a run has one worker"},
      {"guard.spike", {"ignore"}, "a run keeps no statistics of its loss"},
      {"report.every", {}, "a run reports each step"},
      {"report.tensorboard", {}, "a run reports to the terminal and to JSON lines"},
      {"report.prometheus", {}, "a run reports to the terminal and to JSON lines"},
      {"report.mlflow", {}, "a run reports to the terminal and to JSON lines"}};
  return rows;
}

/// Settings without a field of their own that a run obeys: Policy.cpp reads them.
const std::set<std::string> &obeyedSettings() {
  static const std::set<std::string> paths = {"evaluate.batches", "evaluate.keep_best",
                                              "evaluate.patience"};
  return paths;
}

void checkSettings(const sema::Settings &settings, NotYetReporter &report) {
  for (const sema::Setting &setting : settings.others) {
    if (obeyedSettings().count(setting.path)) continue;
    const std::vector<WaitingSetting> &rows = waitingSettings();
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const WaitingSetting &each) { return each.path == setting.path; });
    std::string text = sema::settingText(setting.value);
    if (row != rows.end() && std::count(row->harmless.begin(), row->harmless.end(), text)) continue;
    report(setting.span, "the setting `" + setting.path + "`",
           row == rows.end() ? "nothing obeys it" : row->reason);
  }
}

void checkOptimizers(const sema::TypedProgram &program, NotYetReporter &report) {
  for (const sema::OptimizerGroup &group : program.groups) {
    report.checkGraph(group.rule.update, GraphPlace::Rule);
    report.checkGraph(group.rule.rate, GraphPlace::Rate);
    for (const sema::OptimizerState &state : group.rule.states) {
      report.checkState(group.rule, state);
      report.checkGraph(state.initGraph, GraphPlace::Rule);
    }
  }
}

/// What is left of a command when its sizes and texts are taken care of.
void checkCommand(const sema::Command &command, const std::string &data, NotYetReporter &report) {
  ClosedCommand closed = closeSizes(command, data);
  if (closed.fault)
    report(closed.fault->span, closed.fault->what, closed.fault->reason);
  else
    report.checkGraph(closed.graph, GraphPlace::Command);
}

/// What another run made of its models went its own way there, and here it would start anew.
void checkLeft(const sema::TypedProgram &program, NotYetReporter &report) {
  for (const Shadow &shadow : shadowsOf(program))
    for (const sema::Marker &made : program.markers) {
      if (made.file.empty() || sema::storedPath(made, shadow.of) != shadow.path) continue;
      for (const sema::Marker &run : program.markers)
        if (run.kind == "trained" && run.of == made.file)
          report(run.span, "what the run `" + run.of + "` made by `" + made.kind + "`",
                 "`trained` starts models, and no copies or averages of them");
    }
}

} // namespace

void reportNotYet(const sema::TypedProgram &given, DiagnosticEngine &diagnostics) {
  sema::TypedProgram program = given;
  if (program.loss.results.empty()) joinUpdates(program);
  NotYetReporter report(diagnostics, &program.data);
  report.checkData(program.data);
  checkSettings(program.settings, report);
  report.checkGraph(program.loss, GraphPlace::Training);
  for (const sema::Graph *graph : {&program.evaluationLoss, &program.metrics})
    report.checkGraph(*graph, GraphPlace::Hook);
  for (const sema::Graph *graph : {&program.evaluationLoss, &program.metrics})
    report.checkEvaluated(*graph);
  if (program.predict) report.checkGraph(program.predict->graph, GraphPlace::Predict);
  for (const sema::Parameter &parameter : program.parameters)
    report.checkGraph(parameter.init, GraphPlace::Start);
  report.checkCount(program);
  checkOptimizers(program, report);
  for (const sema::Command &command : program.commands)
    checkCommand(command, program.data.name, report);
  for (const sema::Search &search : program.searches)
    report(search.span, "the search `" + search.name + "`", "an executable makes one run",
           "search");
  for (const sema::Export &each : program.exports)
    report(each.span, "the export `" + each.name + "`", "no format of other tools is written",
           "export");
  for (const WaitingUpdate &each : waitingUpdates(program))
    report(each.span, each.what, each.reason);
  checkLeft(program, report);
  for (const sema::Buffer &buffer : program.buffers)
    report.checkBuffer(buffer, program.settings);
}

void reportNotYet(const sema::TypedTest &test, DiagnosticEngine &diagnostics) {
  NotYetReporter report(diagnostics);
  report.checkGraph(test.graph, GraphPlace::Start);
  for (const sema::Parameter &parameter : test.parameters)
    report.checkGraph(parameter.init, GraphPlace::Start);
}

} // namespace dlm::lower
