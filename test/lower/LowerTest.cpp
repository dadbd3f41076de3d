// `lower` on a program written by hand: sizes, places, sites, recipe, and what it refuses.
#include "compiler/lower/Lower.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/train/Train.h"
#include "test/lower/SmallProgram.h"

#include <gtest/gtest.h>

namespace dlm {
namespace {

class Lower : public testing::Test {
protected:
  Lower() { test::addSmallSource(sources); }

  mlir::OwningOpRef<mlir::ModuleOp> run(const sema::TypedProgram &program) {
    return lower::lower(program, context, sources, options);
  }
  static train::RunOp runOf(mlir::ModuleOp module) {
    return *module.getOps<train::RunOp>().begin();
  }
  template <class Op> static Op first(mlir::Region &region) {
    auto ops = region.getOps<Op>();
    return ops.empty() ? Op() : *ops.begin();
  }

  mlir::MLIRContext context;
  SourceManager sources;
  lower::LowerOptions options;
};

TEST_F(Lower, MicroBatchIsTheBatchOrItsLargestDivisorUnderTheLimit) {
  sema::TypedProgram program;
  sema::Settings &settings = program.settings;
  settings.batch = 64;
  EXPECT_EQ(lower::microRows(program, options), 64);
  settings.batch = 512;
  EXPECT_EQ(lower::microRows(program, options), 512);
  settings.batch = 1536;
  EXPECT_EQ(lower::microRows(program, options), 512);
  settings.batch = 1000;
  EXPECT_EQ(lower::microRows(program, options), 500);
  settings.batch = 521;
  EXPECT_EQ(lower::microRows(program, options), 521) << "a prime has no divisor worth taking";
  settings.batch = 1500;
  settings.batchMultiple = 4;
  EXPECT_EQ(lower::microRows(program, options), 500);
  settings.batchMultiple = 6;
  EXPECT_EQ(lower::microRows(program, options), 300);
  settings.batchMultiple = 1;
  program.loss.nodes.emplace_back().grade = sema::Grade::Coupled;
  program.loss.results.emplace_back("loss", 0);
  settings.batch = 1024;
  EXPECT_EQ(lower::microRows(program, options), 1024) << "it cannot be cut";
  settings.micro = 16;
  EXPECT_EQ(lower::microRows(program, options), 16);
}

TEST_F(Lower, GivesTheBatchAxisTheSizeOfItsRegion) {
  sema::TypedProgram program = test::smallProgram();
  program.settings.micro = 4;
  options.evalRowsMax = 32;
  auto module = run(program);
  ASSERT_TRUE(module);
  train::RunOp declared = runOf(*module);
  EXPECT_EQ(declared.getRows(), 4u);
  EXPECT_EQ(declared.getEvalRows(), 32u);
  auto batchOf = [](mlir::Region &region) {
    mlir::Type type = first<train::InputOp>(region).getType();
    return mlir::cast<mlir::RankedTensorType>(type).getDimSize(0);
  };
  EXPECT_EQ(batchOf(declared.getLoss()), 4);
  EXPECT_EQ(batchOf(declared.getValidation()), 32);
  EXPECT_EQ(batchOf(declared.getMetrics()), 32);
}

TEST_F(Lower, EvaluatesInSmallerBatchesWhereThereIsLessData) {
  sema::TypedProgram program = test::smallProgram(); // 100 samples at most
  program.settings.batch = 64;
  auto module = run(program);
  ASSERT_TRUE(module);
  EXPECT_EQ(runOf(*module).getEvalRows(), 100u);
}

TEST_F(Lower, EvaluatesInSmallerBatchesWhereSamplesAreTrainedOnByFew) {
  sema::TypedProgram program = test::smallProgram();
  for (auto [batch, rows] : {std::pair(8, 64u), std::pair(1, 16u)}) {
    program.settings.batch = batch;
    auto module = run(program);
    ASSERT_TRUE(module);
    EXPECT_EQ(runOf(*module).getEvalRows(), rows);
  }
}

TEST_F(Lower, WritesTheRuleForTheFlatParameters) {
  auto module = run(test::smallProgram());
  ASSERT_TRUE(module);
  auto rule = first<train::RuleOp>(runOf(*module).getOptimizer());
  EXPECT_EQ(rule.getParameters().size(), 4u);
  auto target = first<train::TargetOp>(rule.getUpdate());
  EXPECT_EQ(mlir::cast<mlir::RankedTensorType>(target.getType()).getDimSize(0), 4 * 2048);
}

TEST_F(Lower, KeepsPlaceAndLayerOfEveryOp) {
  auto module = run(test::smallProgram());
  ASSERT_TRUE(module);
  auto product = first<MatmulOp>(runOf(*module).getLoss());
  auto layer = mlir::dyn_cast<mlir::NameLoc>(product.getLoc());
  ASSERT_TRUE(layer);
  EXPECT_EQ(layer.getName().str(), "hidden");
  auto place = mlir::dyn_cast<mlir::FileLineColLoc>(layer.getChildLoc());
  ASSERT_TRUE(place);
  EXPECT_EQ(place.getFilename().str(), "small.dlm");
  EXPECT_EQ(place.getLine(), 3u);
  EXPECT_EQ(place.getColumn(), 1u);
  auto image = first<train::InputOp>(runOf(*module).getLoss());
  EXPECT_TRUE(mlir::isa<mlir::FileLineColLoc>(image.getLoc())) << "no layer, no name";
}

/// The site of the only random op of parameter `path`.
int64_t siteOf(train::RunOp declared, llvm::StringRef path) {
  for (auto param : declared.getParameters().getOps<train::ParamOp>())
    if (param.getPath() == path)
      for (auto random : param.getInit().getOps<RandomOp>())
        return random.getSite();
  return -1;
}

TEST_F(Lower, KeysRandomNumbersByThePathAlone) {
  sema::TypedProgram program = test::smallProgram();
  auto all = run(program);
  ASSERT_TRUE(all);
  int64_t hidden = siteOf(runOf(*all), "hidden.weight");
  int64_t output = siteOf(runOf(*all), "output.weight");
  EXPECT_NE(hidden, output);
  EXPECT_GE(output, 0);
  EXPECT_LT(output, int64_t(1) << 32);
  std::swap(program.parameters[0], program.parameters[2]);
  auto swapped = run(program);
  ASSERT_TRUE(swapped);
  EXPECT_EQ(siteOf(runOf(*swapped), "hidden.weight"), hidden);
  EXPECT_EQ(siteOf(runOf(*swapped), "output.weight"), output);
}

TEST_F(Lower, WritesTheRecipe) {
  sema::TypedProgram program = test::smallProgram();
  program.settings.duration = {5, sema::Unit::Epochs};
  auto module = run(program);
  ASSERT_TRUE(module);
  mlir::DictionaryAttr policy = runOf(*module).getPolicy();
  EXPECT_EQ(policy.getAs<mlir::IntegerAttr>("batch").getInt(), 8);
  EXPECT_EQ(policy.getAs<mlir::IntegerAttr>("micro").getInt(), 8);
  EXPECT_FALSE(policy.getAs<mlir::BoolAttr>("coupled").getValue());
  auto duration = policy.getAs<mlir::DictionaryAttr>("duration");
  EXPECT_EQ(duration.getAs<mlir::FloatAttr>("value").getValueAsDouble(), 5);
  EXPECT_EQ(duration.getAs<mlir::StringAttr>("unit").str(), "epochs");
  auto data = policy.getAs<mlir::DictionaryAttr>("data");
  EXPECT_EQ(data.getAs<mlir::ArrayAttr>("fields").size(), 2u);
  EXPECT_EQ(data.getAs<mlir::IntegerAttr>("train_count").getInt(), 100);
  EXPECT_EQ(policy.getAs<mlir::ArrayAttr>("options").size(), 1u);
}

TEST_F(Lower, MarksACoupledLoss) {
  sema::TypedProgram program = test::smallProgram();
  program.loss.nodes.back().grade = sema::Grade::Coupled;
  auto module = run(program);
  ASSERT_TRUE(module);
  EXPECT_TRUE(runOf(*module).getPolicy().getAs<mlir::BoolAttr>("coupled").getValue());
}

TEST_F(Lower, SaysHowEachResultDependsOnTheSamples) {
  sema::TypedProgram program = test::smallProgram();
  for (sema::Node &node : program.metrics.nodes)
    node.grade = sema::Grade::Sum;
  program.loss.nodes.back().grade = sema::Grade::Coupled;
  auto module = run(program);
  ASSERT_TRUE(module);
  auto grades = runOf(*module).getPolicy().getAs<mlir::ArrayAttr>("grades");
  ASSERT_EQ(grades.size(), 2u);
  auto loss = mlir::cast<mlir::DictionaryAttr>(grades[0]);
  auto accuracy = mlir::cast<mlir::DictionaryAttr>(grades[1]);
  EXPECT_EQ(loss.getAs<mlir::StringAttr>("name").str(), "loss");
  EXPECT_EQ(loss.getAs<mlir::StringAttr>("grade").str(), "coupled");
  EXPECT_GT(loss.getAs<mlir::IntegerAttr>("line").getInt(), 0);
  EXPECT_TRUE(loss.getAs<mlir::StringAttr>("text"));
  EXPECT_EQ(accuracy.getAs<mlir::StringAttr>("grade").str(), "sum");
  EXPECT_TRUE(accuracy.getAs<mlir::BoolAttr>("is_metric").getValue());
  EXPECT_FALSE(accuracy.get("line"));
}

TEST_F(Lower, MakesConstantsOfEveryElementType) {
  sema::TypedProgram program = test::smallProgram();
  sema::Node dense;
  dense.op = "dense";
  dense.type.dtype = sema::DType::I32;
  dense.type.dims.emplace_back();
  dense.type.dims.back() = sema::Dim::whole(3);
  dense.numbers = {1, -2, 3};
  program.loss.nodes.push_back(dense);
  auto module = run(program);
  ASSERT_TRUE(module);
  bool isFound = false;
  for (auto constant : runOf(*module).getLoss().getOps<ConstantOp>()) {
    auto value = mlir::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue());
    if (!value || value.getNumElements() != 3) continue;
    isFound = true;
    EXPECT_EQ(value.getValues<int32_t>()[1], -2);
  }
  EXPECT_TRUE(isFound);
}

/// Lowers a program with one more node in its loss and returns the error.
std::string errorOf(mlir::MLIRContext &context, const SourceManager &sources,
                    const std::string &op) {
  sema::TypedProgram program = test::smallProgram();
  sema::Node node;
  node.op = op;
  node.text = "normal";
  node.type.dtype = sema::DType::F32;
  program.loss.nodes.push_back(node);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    message += diagnostic.str();
    return mlir::success();
  });
  EXPECT_FALSE(lower::lower(program, context, sources));
  return message;
}

TEST_F(Lower, RefusesANodeWithoutAnOp) {
  EXPECT_EQ(errorOf(context, sources, "convolve"), "`convolve` has no op to be lowered to");
}

/// The random ops of the loss, in order, of a program that draws twice in layer 1 and once outside.
std::vector<RandomOp> drawsOf(train::RunOp declared) {
  std::vector<RandomOp> draws;
  for (auto random : declared.getLoss().getOps<RandomOp>())
    draws.push_back(random);
  return draws;
}

TEST_F(Lower, KeysRandomNumbersOfAStepByLayerAndSample) {
  sema::TypedProgram program = test::smallProgram();
  sema::Node node;
  node.op = "random";
  node.text = "uniform";
  node.type = {sema::DType::F32, {sema::Dim::batch(), sema::Dim::whole(3)}};
  for (uint32_t layer : {1u, 1u, 0u}) {
    node.layer = layer;
    program.loss.nodes.push_back(node);
  }
  auto module = run(program);
  ASSERT_TRUE(module);
  std::vector<RandomOp> draws = drawsOf(runOf(*module));
  ASSERT_EQ(draws.size(), 3u);
  EXPECT_NE(draws[0].getSite(), draws[1].getSite());
  EXPECT_NE(draws[0].getSite(), draws[2].getSite());
  for (RandomOp draw : draws) {
    auto first = draw.getFirst().getDefiningOp<MulOp>();
    ASSERT_TRUE(first) << "three elements for each sample before";
    auto row = first.getLhs().getDefiningOp<train::AmbientOp>();
    ASSERT_TRUE(row);
    EXPECT_EQ(row.getBuffer(), "state.row");
    EXPECT_EQ(draw.getAttempt().getDefiningOp<train::AmbientOp>().getBuffer(), "state.attempt");
  }
  std::swap(program.loss.nodes.end()[-1], program.loss.nodes.end()[-3]);
  auto swapped = run(program);
  ASSERT_TRUE(swapped);
  EXPECT_EQ(drawsOf(runOf(*swapped))[0].getSite(), draws[2].getSite());
  EXPECT_EQ(drawsOf(runOf(*swapped))[1].getSite(), draws[0].getSite());
}

} // namespace
} // namespace dlm
