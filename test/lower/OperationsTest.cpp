// No operation is forgotten: each of the list stands in some program of the tests of the checker,
// and each node of those programs, taken by itself, is either reported or can be lowered.
#include "compiler/sema/tensor/Operations.h"
#include "compiler/lower/GraphLowering.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/NotYet.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"
#include "dialects/train/Train.h"
#include "test/sema/TinyData.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace dlm {
namespace {

namespace fs = std::filesystem;

/// Where a node stands in a program: in a hook, in the rule of an optimizer, where a value starts,
/// or in a map of samples.
enum class Place { Hook, Rule, Start, Sample };

struct Sample {
  std::string program;
  Place place;
  sema::Graph graph; // leaves for the operands, then the node
};

class Operations : public testing::Test {
protected:
  Operations() { lower::loadDialects(context); }

  void addProgram(const fs::path &path);
  void addGraph(const std::string &program, const sema::Graph &graph, Place place);
  bool isReported(const Sample &sample);
  bool isLowered(const Sample &sample);

  sema::TinyData data;
  mlir::MLIRContext context;
  SourceManager sources;
  std::set<std::string> seen;
  std::map<std::string, Sample> samples; // by what tells them apart
};

std::string keyOf(const sema::Node &node, const sema::Graph &graph, Place place) {
  std::string key = node.op + std::to_string(int(place)) + std::to_string(int(node.type.dtype));
  if (node.op == "compare" || node.op == "reduce" || node.op == "batch_reduce") key += node.text;
  for (sema::NodeId operand : node.operands)
    key += "," + std::to_string(int(graph.nodes[operand].type.dtype));
  return key;
}

/// A leaf in the place of a node; in that of a loop the loop itself, of leaves.
sema::NodeId addLeaf(sema::Graph &to, const sema::Graph &from, sema::NodeId id) {
  sema::Node leaf;
  leaf.op = "parameter";
  leaf.text = "p";
  leaf.type = from.nodes[id].type;
  if (from.nodes[id].op == "scan") {
    leaf = from.nodes[id];
    for (sema::NodeId &operand : leaf.operands)
      operand = addLeaf(to, from, operand);
  }
  to.nodes.push_back(std::move(leaf));
  return sema::NodeId(to.nodes.size() - 1);
}

void Operations::addGraph(const std::string &program, const sema::Graph &graph, Place place) {
  for (const sema::Node &node : graph.nodes) {
    seen.insert(node.op);
    for (const auto &body : node.bodies)
      for (const sema::Node &each : body->nodes)
        seen.insert(each.op);
    std::string key = keyOf(node, graph, place);
    if (samples.count(key)) continue;
    Sample sample = {program, place, {}};
    sema::Node copy = node;
    for (sema::NodeId &operand : copy.operands)
      operand = addLeaf(sample.graph, graph, operand);
    sample.graph.nodes.push_back(copy);
    samples.emplace(key, std::move(sample));
  }
}

void Operations::addProgram(const fs::path &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  DiagnosticEngine diagnostics(sources);
  std::string name = path.stem().string();
  std::unique_ptr<ast::File> tree =
      parseFile(sources, sources.addFile(name + ".dlm", text.str()), diagnostics);
  if (!tree) return;
  sema::CheckOptions flags;
  if (text.str().find("--train=t\n") != std::string::npos) flags.train = "t";
  std::optional<sema::TypedProgram> program = sema::check(*tree, sources, diagnostics, flags);
  if (!program) return; // it is wrong, or needs other flags
  for (const sema::Graph *graph : {&program->loss, &program->evaluationLoss, &program->metrics})
    addGraph(name, *graph, Place::Hook);
  for (const sema::Update &update : program->updates)
    addGraph(name, update.loss, Place::Hook);
  for (const sema::Command &command : program->commands)
    addGraph(name, command.graph, Place::Hook);
  for (const sema::SampleMap &map : program->data.maps)
    addGraph(name, map.training, Place::Sample);
  for (const sema::OptimizerGroup &group : program->groups)
    addGraph(name, group.rule.update, Place::Rule);
  for (const sema::Parameter &parameter : program->parameters)
    addGraph(name, parameter.init, Place::Start);
  for (const sema::Buffer &buffer : program->buffers)
    addGraph(name, buffer.init, Place::Start);
  for (const sema::TypedTest &test : program->tests)
    addGraph(name, test.graph, Place::Start);
}

bool Operations::isReported(const Sample &sample) {
  DiagnosticEngine diagnostics(sources);
  if (sample.place == Place::Start) {
    sema::TypedTest test;
    test.graph = sample.graph;
    lower::reportNotYet(test, diagnostics);
    return diagnostics.hasErrors();
  }
  sema::TypedProgram program;
  program.data.kind = "idx";
  if (sample.place == Place::Hook) {
    program.loss = sample.graph;
  } else if (sample.place == Place::Sample) {
    program.data.maps.push_back({sample.graph, {}, {}});
  } else {
    program.groups.emplace_back();
    program.groups[0].rule.update = sample.graph;
  }
  // Reported by the declarations that they come with.
  const std::string &op = sample.graph.nodes.back().op;
  if (op == "shadow") program.markers.emplace_back().kind = "copy";
  lower::reportNotYet(program, diagnostics);
  return diagnostics.hasErrors();
}

lower::GraphPart partOf(Place place) {
  return place == Place::Hook     ? lower::GraphPart::Training
         : place == Place::Sample ? lower::GraphPart::Sample
         : place == Place::Rule   ? lower::GraphPart::Update
                                  : lower::GraphPart::Start;
}

bool Operations::isLowered(const Sample &sample) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::OpBuilder build(&context);
  build.setInsertionPointToStart(module->getBody());
  auto run =
      train::RunOp::create(build, module->getLoc(), "r", 2, 2, mlir::DictionaryAttr::get(&context),
                           mlir::FloatAttr(), mlir::ArrayAttr());
  std::vector<std::string> layers;
  lower::Places places(context, sources, layers);
  lower::GraphLowering lowering(build, places, {2, 8}, "p");
  lowering.as(partOf(sample.place));
  if (failed(lowering.lower(sample.graph, run.getLoss()))) return false;
  // Those of a test become arguments. The leaves in front of any other node are made up.
  if (sample.graph.nodes.back().op == "parameter") return true;
  mlir::Operation &last = *std::prev(run.getLoss().front().getOperations().end(), 2);
  return succeeded(mlir::verify(&last));
}

TEST_F(Operations, AreAllLoweredOrReported) {
  fs::path schemas = fs::path(DLM_SEMA_PROGRAMS) / "schemas";
  for (const auto &entry : fs::directory_iterator(schemas))
    fs::copy(entry.path(), fs::path(data.folder()) / entry.path().filename(),
             fs::copy_options::recursive);
  for (const auto &entry : fs::directory_iterator(DLM_SEMA_PROGRAMS))
    if (entry.path().extension() == ".dlm") addProgram(entry.path());
  std::vector<std::string> differing;
  std::set_symmetric_difference(seen.begin(), seen.end(), sema::operationNames().begin(),
                                sema::operationNames().end(), std::back_inserter(differing));
  EXPECT_EQ(differing, std::vector<std::string>()) << "without a program, or not in the list";
  for (const auto &[key, sample] : samples)
    EXPECT_TRUE(isReported(sample) || isLowered(sample))
        << "`" << sample.graph.nodes.back().op << "` of " << sample.program << ".dlm (" << key
        << ") is neither lowered nor reported";
}

} // namespace
} // namespace dlm
