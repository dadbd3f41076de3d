// Numbers, shapes and grades on their own.

#include "compiler/sema/tensor/GraphBuilder.h"
#include "compiler/sema/value/Number.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"

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

TEST(Symbols, BoundsOfADifferenceDecideAnOrder) {
  Symbols symbols;
  symbols["n"].upper = 64;
  Extent batch = Extent::batch(), n = Extent::symbol("n"), one = Extent::whole(1);
  EXPECT_EQ(compareSizes(symbols, "<=", n, Extent::whole(64)), true);
  EXPECT_EQ(compareSizes(symbols, "<", n, Extent::whole(64)), std::nullopt);
  EXPECT_EQ(compareSizes(symbols, ">", n, Extent::whole(64)), false);
  EXPECT_EQ(compareSizes(symbols, ">=", batch, one), true);
  EXPECT_EQ(compareSizes(symbols, ">", *Extent::add(batch, one), batch), true);
  EXPECT_EQ(compareSizes(symbols, ">=", *Extent::multiply(batch, n), n), true);
  EXPECT_EQ(compareSizes(symbols, "==", batch, n), false);
  Interval rest = intervalOf(symbols, *Extent::subtract(Extent::whole(100), n));
  EXPECT_EQ(rest.lower->text(), "36");
  EXPECT_EQ(rest.upper->text(), "99");
}

TEST(Symbols, ARemainderIsKnownWhereEveryTermIsAMultiple) {
  Symbols symbols;
  Extent even = *Extent::multiply(Extent::batch(), Extent::whole(4));
  Extent two = Extent::whole(2);
  EXPECT_EQ(remainderOf(symbols, *Extent::add(even, Extent::whole(5)), two), Extent::whole(1));
  EXPECT_EQ(remainderOf(symbols, even, Extent::batch()), Extent());
  EXPECT_FALSE(remainderOf(symbols, Extent::batch(), two));
}

TEST(Extent, SaysWhatASymbolHasToBeAMultipleOf) {
  Extent square = *Extent::multiply(Extent::batch(), Extent::batch());
  EXPECT_EQ((*Extent::divide(square, Extent::whole(16))).divisors().at("batch"), 4);
  EXPECT_EQ((*Extent::divide(square, Extent::whole(8))).divisors().at("batch"), 4);
}

TEST(Shapes, AnIndexIsProposedWhereOneFitsBest) {
  EXPECT_EQ(fittingIndex({batchDim()}, {batchDim(), writtenOne()}), "[:, new]");
  EXPECT_EQ(fittingIndex({size(5)}, {batchDim(), size(3), writtenOne()}), "[new, new, :]");
  EXPECT_EQ(fittingIndex({size(5)}, {batchDim(), writtenOne()}), "[new, :]");
  EXPECT_EQ(fittingIndex({batchDim()}, {batchDim(), size(3), size(4)}), "[:, new, new]");
  EXPECT_EQ(fittingIndex({size(7)}, {batchDim(), size(3)}), "");
  EXPECT_EQ(fittingIndex({size(3)}, {size(3), size(3), writtenOne()}), "");
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

TEST(Grades, AQuotientByACountIsASumUnlessTheModelDecidesTheCount) {
  GraphBuilder graph(1);
  NodeId row = addNode(graph, "input", {batchDim()}, {});
  NodeId weight = addNode(graph, "parameter", {}, {}, "w");
  NodeId loss = addNode(graph, "mul", {batchDim()},
                        {row, addNode(graph, "broadcast", {batchDim()}, {weight})});
  NodeId sum = addNode(graph, "batch_reduce", {}, {loss}, "add");
  NodeId count = addNode(graph, "batch_reduce", {}, {row}, "add");
  NodeId one = addNode(graph, "constant", {}, {});
  NodeId positive = addNode(graph, "max", {}, {count, one});
  NodeId mean = addNode(graph, "div", {}, {sum, positive});
  EXPECT_EQ(graph.node(positive).grade, Grade::Coupled);
  EXPECT_EQ(graph.node(mean).grade, Grade::Sum);
  EXPECT_EQ(graph.node(addNode(graph, "div", {}, {sum, sum})).grade, Grade::Coupled);
  graph.graph.results.emplace_back("loss", mean);
  EXPECT_EQ(gradeOf(graph.graph).grade, Grade::Sum);
  EXPECT_EQ(gradeOf(graph.graph).count, &graph.graph.nodes[mean]);
}

TEST(Grades, SamplesMayStandOnAnyAxisButOnlyOnOne) {
  GraphBuilder graph(1);
  NodeId x = addNode(graph, "input", {batchDim(), size(4)}, {});
  NodeId turned = addNode(graph, "transpose", {size(4), batchDim()}, {x});
  EXPECT_EQ(graph.node(turned).grade, Grade::Row);
  EXPECT_EQ(
      graph.node(addNode(graph, "contract", {batchDim(), batchDim()}, {x, turned}, "ab,bc->ac"))
          .grade,
      Grade::Coupled);
  EXPECT_EQ(
      graph.node(addNode(graph, "batch_contract", {size(4), size(4)}, {turned, x}, "ab,bc->ac"))
          .grade,
      Grade::Sum);
  EXPECT_EQ(graph.node(addNode(graph, "argmax", {size(4)}, {x})).grade, Grade::Coupled);
}

TEST(Grades, ReshapingKeepsTheOrderOfSamplesOrMixesThem) {
  GraphBuilder graph(1);
  Dim merged = {*Extent::multiply(Extent::batch(), Extent::whole(4)), "", false};
  Dim groups = {*Extent::divide(Extent::batch(), Extent::whole(2)), "", false};
  NodeId x = addNode(graph, "input", {batchDim(), size(4)}, {});
  NodeId turned = addNode(graph, "transpose", {size(4), batchDim()}, {x});
  EXPECT_EQ(graph.node(addNode(graph, "reshape", {merged}, {x})).grade, Grade::Row);
  EXPECT_EQ(graph.node(addNode(graph, "reshape", {groups, size(8)}, {x})).grade, Grade::Row);
  EXPECT_EQ(graph.node(addNode(graph, "reshape", {merged}, {turned})).grade, Grade::Coupled);
  EXPECT_EQ(graph.node(addNode(graph, "reshape", {size(4), batchDim()}, {x})).grade,
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
