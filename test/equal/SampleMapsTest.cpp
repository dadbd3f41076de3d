// What `data.map` of a program makes of a sample: compiled code against the interpreter, bit for
// bit. The programs are written in the language and go the whole way through the compiler.
#include "compiler/pipeline/Pipeline.h"
#include "runtime/base/Philox.h"
#include "test/equal/CompiledProgram.h"
#include "test/equal/ProgramsFixture.h"
#include "test/sema/TinyData.h"

#include <filesystem>

using namespace mlir;
using namespace dlm;
using namespace dlm::test;

namespace {

/// A program that trains on `x: f32[2, 3]` and `label`, which `map` makes of an image.
std::string programOf(const std::string &map) {
  return "use nn, optim, data, random\n"
         "option strength = 0.3\n"
         "let tiny = data.idx(\"tiny\")" +
         map +
         "\ntrain t {\n"
         "  let net = nn.Linear(6, 3)\n"
         "  data = tiny\n"
         "  batch = 2\n"
         "  fn loss(batch) { cross_entropy(net(reshape(batch.x, [batch.size, 6])), batch.label) }\n"
         "  optimizer = optim.SGD(lr = 0.1)\n"
         "  duration = 1 epochs\n"
         "}\n";
}

std::string mapOf(const std::string &body) { return "\n  |> data.map(fn(s) {\n" + body + "\n  })"; }

class SampleMaps : public ProgramsFixture {
protected:
  /// A program after all phases that decide bits.
  OwningOpRef<ModuleOp> pinned(const std::string &text) {
    data.writeText("t.dlm", text);
    SourceManager sources;
    dlm::DiagnosticEngine diagnostics(sources);
    PipelineOptions options;
    options.emit = "pin";
    Expected<PipelineResult> result =
        compileFile(data.folder() + "/t.dlm", options, sources, diagnostics);
    EXPECT_TRUE(result.isOk()) << text << result.status().message();
    if (!result) return nullptr;
    auto module = parseSourceString<ModuleOp>(result->text, &context);
    EXPECT_TRUE(module) << result->text;
    return module;
  }

  /// What the interpreter says of the functions that make samples.
  static std::vector<ProgramCase> sampleCases(ModuleOp module) {
    std::vector<ProgramCase> cases;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function->hasAttr("dlm.per_thread")) continue;
      NamedTensors inputs = someInputs(function, 7);
      auto draw = inputs.find("sample.draw");
      if (draw != inputs.end()) *draw->second.as<int64_t>() = int64_t(sampleDraw(5, 3));
      cases.push_back({function.getName().str(), inputs, interpretBuffers(function, inputs)});
    }
    return cases;
  }

  void expectEqual(const std::string &map) {
    SCOPED_TRACE(map);
    OwningOpRef<ModuleOp> module = pinned(programOf(map));
    ASSERT_TRUE(module);
    std::vector<ProgramCase> cases = sampleCases(*module);
    EXPECT_EQ(cases.size(), 2u);
    for (int64_t width : {16, 64}) {
      BackendOptions options;
      options.vectorWidth = width;
      std::unique_ptr<RunnableProgram> program = RunnableProgram::create(*module, options);
      ASSERT_TRUE(program);
      for (const ProgramCase &one : cases)
        EXPECT_EQ(firstDifference(one.expected, program->run(one, 1)), "") << one.program;
    }
  }

  sema::TinyData data;
};

TEST_F(SampleMaps, PointwiseMapsEqualTheInterpreter) {
  expectEqual(mapOf("(x = exp(cast(s.image, f32) / 255) - 0.5, label = s.label)"));
  expectEqual(mapOf("(x = if training { cast(s.image, f32) * strength } else { "
                    "sqrt(cast(s.image, f32)) }, label = s.label)"));
  expectEqual(mapOf("(x = cast(s.image, f32), same = s.image, twin = s.image, far = s.image > 1,\n"
                    "   bytes = cast(s.label + 1, u8), wide = cast(s.image, i64),\n"
                    "   label = s.label)"));
}

TEST_F(SampleMaps, MovesReductionsAndProductsEqualTheInterpreter) {
  expectEqual(mapOf("let x = cast(s.image, f32)\n"
                    "(x = (x - mean(x)) / (std(x) + 1e-3), label = s.label)"));
  expectEqual(mapOf("let x = cast(s.image, f32).T\n"
                    "(x = reshape(x, [2, 3]) - max(x), label = s.label)"));
  expectEqual(mapOf("let x = cast(s.image, f32)\n"
                    "(x = (x @ x.T) @ x, label = argmax(sum(x, over = 0), over = 0))"));
}

TEST_F(SampleMaps, WhatIsDrawnEqualsTheInterpreter) {
  expectEqual(
      mapOf("(x = cast(s.image, f32) + strength * random.normal([2, 3]), label = s.label)"));
  expectEqual(mapOf("let x = cast(s.image, f32) * random.uniform([2, 3])\n"
                    "(x = if training { where(random.bernoulli(0.5), x, -x) } else { x },\n"
                    " label = s.label)"));
}

TEST_F(SampleMaps, PartsAndFlipsEqualTheInterpreter) {
  expectEqual(mapOf("let x = cast(s.image, f32)\n"
                    "(x = where(random.bernoulli(0.5), flip(x, over = 1), x),\n"
                    " part = s.image[0, 1:], label = s.label)"));
}

TEST_F(SampleMaps, LoopsEqualTheInterpreter) {
  expectEqual(mapOf("let (last, x) = scan(zeros([2]), cast(s.image, f32), over = 1,\n"
                    "                     body = fn(h, x) { (h + x, h * x) })\n"
                    "(x = x + sum(last), label = s.label)"));
  expectEqual(mapOf("(x = cumsum(cast(s.image, f32), over = 1) / 7, label = s.label)"));
}

TEST_F(SampleMaps, AMapOfAMapEqualsTheInterpreter) {
  expectEqual(mapOf("(x = cast(s.image, f32) / 255, y = s.label)") +
              mapOf("(x = s.x + random.normal([2, 3]), label = s.y)") +
              mapOf("(x = relu(s.x), label = s.label)"));
}

} // namespace
