// Numbers, shapes and grades on their own.

#include "compiler/sema/GraphBuilder.h"
#include "compiler/sema/Number.h"
#include "compiler/sema/Shapes.h"

#include <gtest/gtest.h>

#include <limits>

namespace dlm::sema {

namespace {

Number apply(const char *op, Number a, Number b) { return *calculate(op, a, b); }

Dim size(int64_t count) { return Dim::whole(count); }
Dim batchDim() { return Dim::batch(""); }
Dim writtenOne() { return Dim::one(); }

NodeId addNode(GraphBuilder &graph, const std::string &op, std::vector<Dim> dims,
               std::vector<NodeId> operands, const std::string &text = "") {
  Node node;
  node.op = op;
  node.text = text;
  node.type.dims = std::move(dims);
  node.operands = std::move(operands);
  return graph.add(std::move(node));
}

} // namespace

TEST(Number, QuotientsOfWholeNumbersAreExact) {
  Number third = apply("/", Number::whole(1), Number::whole(3));
  EXPECT_EQ(third.text(), "1/3");
  EXPECT_TRUE(apply("*", third, Number::whole(3)).isWhole());
  EXPECT_EQ(apply("%", Number::whole(-7), Number::whole(3)).text(), "2");
  EXPECT_EQ(apply("**", Number::whole(2), Number::whole(-2)).text(), "1/4");
}

TEST(Number, OverflowContinuesAsARealNumber) {
  Number big = Number::whole(std::numeric_limits<int64_t>::max());
  Number more = apply("*", big, big);
  EXPECT_FALSE(more.isExact);
  EXPECT_NEAR(more.toReal(), 8.507e37, 1e35);
}

TEST(Number, DivisionByZeroHasNoResult) {
  EXPECT_FALSE(calculate("/", Number::whole(1), Number::whole(0)));
  EXPECT_FALSE(calculate("%", Number::fromReal(1), Number::whole(0)));
  EXPECT_FALSE(calculate("**", Number::whole(0), Number::whole(-1)));
}

TEST(Number, TextReadsBackAsTheSameNumber) {
  EXPECT_EQ(formatReal(500), "500");
  EXPECT_EQ(formatReal(0.1), "0.1");
  EXPECT_EQ(formatReal(1e-3), "0.001");
  EXPECT_EQ(parseNumber("1_000")->text(), "1000");
  EXPECT_FALSE(parseNumber("99999999999999999999"));
}

TEST(Extent, IsOnePolynomialHoweverItIsWritten) {
  Extent batch = Extent::batch(), length = Extent::symbol("length"), two = Extent::whole(2);
  Extent left = *Extent::multiply(*Extent::add(batch, length), *Extent::add(batch, length));
  Extent right = *Extent::multiply(batch, batch);
  right = *Extent::add(right, *Extent::multiply(two, *Extent::multiply(batch, length)));
  right = *Extent::add(right, *Extent::multiply(length, length));
  EXPECT_EQ(left, right);
  EXPECT_EQ(left.text(), "batch * batch + 2 * batch * length + length * length");
  EXPECT_TRUE((*Extent::subtract(left, right)).isWhole());
}

TEST(Extent, DividesWhereTheQuotientIsAPolynomial) {
  Extent batch = Extent::batch(), groups = *Extent::divide(batch, Extent::whole(32));
  EXPECT_EQ(groups.text(), "batch / 32");
  EXPECT_EQ(groups.divisors().at("batch"), 32);
  EXPECT_EQ(*Extent::multiply(groups, Extent::whole(32)), batch);
  Extent sum = *Extent::add(batch, Extent::whole(1));
  EXPECT_EQ(Extent::divide(*Extent::multiply(sum, batch), sum), batch);
  EXPECT_FALSE(Extent::divide(sum, batch));
  EXPECT_FALSE(Extent::divide(batch, Extent::whole(0)));
}

TEST(Extent, DoesNotOverflow) {
  Extent huge = Extent::whole(std::numeric_limits<int64_t>::max());
  EXPECT_FALSE(Extent::multiply(huge, huge));
  EXPECT_FALSE(Extent::add(huge, Extent::whole(1)));
}

TEST(Extent, HasAValueOnceItsSymbolsHaveOne) {
  Extent extent = *Extent::divide(Extent::batch(), Extent::whole(3));
  EXPECT_EQ(extent.evaluate({{"batch", 12}})->text(), "4");
  EXPECT_EQ(extent.evaluate({{"batch", 2}})->text(), "2/3");
  EXPECT_FALSE(extent.evaluate({}));
}

TEST(Shapes, AMissingLeadingDimensionStretches) {
  Stretch stretch = stretchShapes({batchDim(), size(8)}, {size(8)});
  ASSERT_TRUE(stretch.fits);
  EXPECT_TRUE(stretch.dims[0].isBatch());
}

TEST(Shapes, AWrittenOneStretchesOnEitherSideOfEqualRank) {
  EXPECT_TRUE(stretchShapes({size(4), writtenOne()}, {writtenOne(), size(5)}).fits);
}

TEST(Shapes, ASizeThatMerelyIsOneDoesNotStretch) {
  EXPECT_FALSE(stretchShapes({size(4), size(1)}, {size(4), size(5)}).fits);
}

TEST(Shapes, OnlyTheSideWithFewerDimensionsIsExpanded) {
  Stretch stretch = stretchShapes({batchDim()}, {batchDim(), writtenOne()});
  EXPECT_FALSE(stretch.fits);
  EXPECT_TRUE(stretch.wouldStretchBoth);
  EXPECT_FALSE(stretchShapes({size(2), size(3), writtenOne()}, {size(5)}).fits);
  EXPECT_TRUE(stretchShapes({size(2), size(3), size(5)}, {writtenOne(), size(5)}).fits);
}

TEST(Grades, AMeanOverTheBatchIsASum) {
  GraphBuilder graph(1);
  NodeId row = addNode(graph, "input", {batchDim()}, {});
  NodeId sum = addNode(graph, "batch_reduce", {}, {row}, "add");
  NodeId count = addNode(graph, "sample_count", {}, {});
  NodeId mean = addNode(graph, "div", {}, {sum, count});
  EXPECT_EQ(graph.node(row).grade, Grade::Row);
  EXPECT_EQ(graph.node(mean).grade, Grade::Sum);
}

TEST(Grades, AConstantThatJoinsASumIsShared) {
  GraphBuilder graph(1);
  NodeId row = addNode(graph, "input", {batchDim()}, {});
  NodeId sum = addNode(graph, "batch_reduce", {}, {row}, "add");
  NodeId weight = addNode(graph, "parameter", {}, {}, "w");
  NodeId total = addNode(graph, "add", {}, {sum, weight});
  EXPECT_EQ(graph.node(total).grade, Grade::Sum);
  EXPECT_EQ(graph.node(graph.node(total).operands[1]).op, "share");
}

TEST(Grades, WhatIsNotLinearInASumIsCoupled) {
  GraphBuilder graph(1);
  NodeId row = addNode(graph, "input", {batchDim()}, {});
  NodeId sum = addNode(graph, "batch_reduce", {}, {row}, "add");
  EXPECT_EQ(graph.node(addNode(graph, "exp", {}, {sum})).grade, Grade::Coupled);
  EXPECT_EQ(graph.node(addNode(graph, "mul", {}, {sum, sum})).grade, Grade::Coupled);
  NodeId stretched = addNode(graph, "broadcast", {batchDim()}, {sum});
  EXPECT_EQ(graph.node(stretched).grade, Grade::Coupled);
  EXPECT_EQ(graph.node(addNode(graph, "sub", {batchDim()}, {row, stretched})).grade,
            Grade::Coupled);
}

TEST(Graph, PruningKeepsWhatResultsNeedInOrder) {
  GraphBuilder graph(1);
  addNode(graph, "constant", {}, {});
  NodeId a = addNode(graph, "parameter", {}, {}, "a");
  addNode(graph, "exp", {}, {a});
  NodeId b = addNode(graph, "neg", {}, {a});
  graph.graph.results.emplace_back("loss", b);
  graph.prune();
  ASSERT_EQ(graph.graph.nodes.size(), 2u);
  EXPECT_EQ(graph.graph.nodes[1].op, "neg");
  EXPECT_EQ(graph.graph.nodes[1].operands[0], 0u);
  EXPECT_EQ(graph.graph.results[0].second, 1u);
}

} // namespace dlm::sema
