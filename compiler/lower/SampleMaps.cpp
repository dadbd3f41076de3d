// The first map reads fields of the source, each later one what the map before it has made. A
// random tensor is keyed by the map's place in the chain and its own place in the map, and drawn
// anew for each sample and epoch.
#include "compiler/lower/SampleMaps.h"

#include "compiler/lower/GraphLowering.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "dialects/train/Train.h"

#include <algorithm>

namespace dlm::lower {

namespace {

/// Whether `fn predict` reads a field of the batch.
bool isPredictedFrom(const sema::Command &predict, const std::string &field) {
  return sema::findNode(predict.graph, [&](const sema::Node &node) {
    return node.op == "input" && node.text == field;
  });
}

/// All maps as the sample `name`. For predictions only what they read is made: the rest may need
/// fields that a file of rows does not have, such as the label.
mlir::LogicalResult lowerChain(const sema::TypedProgram &program, const std::string &name,
                               mlir::OpBuilder &build, const Places &places) {
  const sema::DataSource &data = program.data;
  bool isTraining = name == "train";
  auto op = train::SampleOp::create(build, places.of(data.maps.front().span), name);
  mlir::OpBuilder::InsertionGuard guard(build);
  build.setInsertionPointToStart(&op.getBody().emplaceBlock());
  GraphLowering::NamedValues fields;
  for (size_t i = 0; i < data.maps.size(); ++i) {
    GraphLowering map(build, places, {}, "data.map." + std::to_string(i));
    map.as(GraphPart::Sample);
    const sema::SampleMap &step = data.maps[i];
    auto results = map.append(isTraining ? step.training : step.evaluation, fields);
    if (failed(results)) return mlir::failure();
    fields = std::move(*results);
  }
  if (name == "predict")
    llvm::erase_if(
        fields, [&](const auto &field) { return !isPredictedFrom(*program.predict, field.first); });
  yieldNamed(build, op.getLoc(), fields);
  return mlir::success();
}

} // namespace

mlir::LogicalResult lowerSampleMaps(const sema::TypedProgram &program, mlir::OpBuilder &build,
                                    const Places &places) {
  if (program.data.maps.empty()) return mlir::success();
  std::vector<std::string> names = {"train", "eval"};
  if (program.predict) names.push_back("predict");
  for (const std::string &name : names)
    if (failed(lowerChain(program, name, build, places))) return mlir::failure();
  return mlir::success();
}

} // namespace dlm::lower
