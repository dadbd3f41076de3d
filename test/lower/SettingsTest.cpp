// No setting is forgotten: each row of the table, given in a program with a value that is not its
// default, is refused, or changes what the run is told (its recipe) or computes (its graphs).
#include "compiler/codegen/plan/PlanTables.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/NotYet.h"
#include "compiler/lower/Updates.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/settings/SettingTable.h"
#include "compiler/syntax/Parser.h"
#include "dialects/train/Train.h"
#include "test/sema/TinyData.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace dlm {
namespace {

/// A value of each setting that is not what holds without it.
const std::map<std::string, std::string> &examples() {
  static const std::map<std::string, std::string> rows = {
      {"data", "data.idx(\"tiny\", validation = 4)"},
      {"batch", "1"},
      {"micro", "1"},
      {"optimizer", "optim.SGD(lr = 0.2)"},
      {"duration", "7 steps"},
      {"seed", "3"},
      {"clip_norm", "2"},
      {"precision", "bf16"},
      {"memory.budget", "1GiB"},
      {"memory.recompute", "full"},
      {"parallel.data", "2"},
      {"parallel.tensor", "2"},
      {"parallel.shard", "gradients"},
      {"parallel.split", "[inputs => data]"},
      {"evaluate.every", "2 steps"},
      {"evaluate.batches", "1"},
      {"evaluate.keep_best", "minimum(validation.loss); every = 1 steps"},
      {"evaluate.patience", "1 epochs; every = 1 epochs; keep_best = minimum(validation.loss)"},
      {"checkpoint.every", "2 steps"},
      {"checkpoint.keep", "5"},
      {"checkpoint.to", "\"elsewhere\""},
      {"checkpoint.light", "1 steps"},
      {"guard.nonfinite", "stop"},
      {"guard.spike", "skip"},
      {"report.every", "2 steps"},
      {"report.tensorboard", "\"events\""},
      {"report.prometheus", "9400"},
      {"report.mlflow", "\"http://localhost\""},
      {"update.of", "net"},
      {"update.repeat", "2"},
      {"update.every", "2"},
      {"update.optimizer", "optim.SGD(lr = 0.2)"},
      {"update.clip_norm", "2"},
      {"search.strategy", "grid(coarse = 2)"},
      {"search.minimize", "validation.loss"},
      {"search.maximize", "validation.large"},
      {"export.model", "net"},
      {"export.onnx", "\"net.onnx\""},
      {"export.safetensors", "\"net.safetensors\""},
      {"export.precision", "bf16"},
      {"export.quantize", "i8"},
  };
  return rows;
}

/// The program, with `name = value` behind its functions, whose lines a recipe holds, and in the
/// place of a setting of the train block that has to be.
std::string programWith(const sema::SettingRow *row) {
  std::map<std::string, std::string> needed = {{"data", "data.idx(\"tiny\", validation = 2)"},
                                               {"batch", "2"},
                                               {"optimizer", "optim.SGD(lr = rate)"},
                                               {"duration", "3 epochs"}};
  std::string inside, behind;
  std::string section = row ? row->section : "";
  std::string name = row ? row->name : "", value = row ? examples().at(row->path()) : "";
  if (section == "train")
    needed[name] = value;
  else if (section == "search")
    behind = "search s of t {\n  space { rate = [0.1, 0.2] }\n  " + name + " = " + value + "\n" +
             (name == "strategy" ? "  minimize = validation.loss\n" : "") + "}\n";
  else if (section == "export")
    behind = "export e of t {\n  " + name + " = " + value + "\n" +
             (name == "model" ? "" : "  model = net\n") +
             (name == "onnx" || name == "safetensors" ? "" : "  onnx = \"net.onnx\"\n") + "}\n";
  else if (section == "update")
    inside = "  update u {\n    " + name + " = " + value + "\n" +
             (name == "of" ? "" : "    of = net\n") +
             (name == "optimizer" ? "" : "    optimizer = optim.SGD(lr = rate)\n") +
             "    fn loss(batch) { loss_of(net, batch) }\n  }\n";
  else if (row)
    inside = "  " + section + " { " + name + " = " + value + " }\n";
  if (section == "update") needed.erase("optimizer");
  for (const auto &[setting, what] : needed)
    inside += "  " + setting + " = " + what + "\n";
  return "use nn, optim, data\noption rate = 0.1\n"
         "fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }\n"
         "fn loss_of(net, batch) { cross_entropy(net(flat(batch)), batch.label) }\n"
         "train t {\n  let net = nn.Linear(6, 4)\n"
         "  fn metrics(batch) { (large = mean(net(flat(batch)))) }\n" +
         std::string(section == "update" ? "" : "  fn loss(batch) { loss_of(net, batch) }\n") +
         inside + "}\n" + behind;
}

class SettingsTest : public testing::Test {
protected:
  SettingsTest() { lower::loadDialects(context); }

  /// What is said against the program, or what becomes of it: its recipe and its graphs.
  struct Outcome {
    std::string fault, refused, result;
  };
  Outcome outcomeOf(const std::string &text);

  sema::TinyData data;
  mlir::MLIRContext context;
};

/// The recipe as bytes of the plan, and the graphs without the policy that the recipe is made of:
/// what stands in the policy alone, nobody obeys.
std::string resultOf(mlir::ModuleOp module) {
  plan::PlanT plan;
  for (train::RunOp run : module.getOps<train::RunOp>()) {
    module->setAttr("train.policy", run.getPolicy());
    addRecipe(plan, module, {});
    module->removeAttr("train.policy");
    run.setPolicyAttr(mlir::DictionaryAttr::get(module.getContext()));
  }
  plan.recipe->settings.clear(); // what `info` tells of where each is written
  flatbuffers::FlatBufferBuilder build;
  build.Finish(plan::Plan::Pack(build, &plan));
  std::string text(reinterpret_cast<const char *>(build.GetBufferPointer()), build.GetSize());
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return stream.str();
}

SettingsTest::Outcome SettingsTest::outcomeOf(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources), later(sources);
  std::unique_ptr<ast::File> tree = parseFile(sources, sources.addFile("t.dlm", text), diagnostics);
  std::optional<sema::TypedProgram> program;
  if (tree) program = sema::check(*tree, sources, diagnostics, {});
  if (!program) return {renderText(diagnostics), "", ""};
  lower::joinUpdates(*program);
  lower::reportNotYet(*program, later);
  if (later.hasErrors()) return {"", renderText(later), ""};
  mlir::OwningOpRef<mlir::ModuleOp> module = lower::lower(*program, context, sources);
  if (!module) return {"lowering failed", "", ""};
  return {"", "", resultOf(*module)};
}

TEST_F(SettingsTest, AreAllObeyedOrRefused) {
  Outcome plain = outcomeOf(programWith(nullptr));
  ASSERT_EQ(plain.fault + plain.refused, "");
  ASSERT_NE(plain.result, "");
  std::string usual = programWith(nullptr);
  usual.insert(usual.rfind('}'), "  seed = 1\n  guard { nonfinite = skip(limit = 3) }\n");
  ASSERT_EQ(outcomeOf(usual).result, plain.result) << "defaults that are written change nothing";
  for (const sema::SettingRow &row : sema::settingRows()) {
    ASSERT_TRUE(examples().count(row.path())) << "no example of `" << row.path() << "`";
    Outcome given = outcomeOf(programWith(&row));
    EXPECT_EQ(given.fault, "") << programWith(&row);
    EXPECT_TRUE(!given.refused.empty() || given.result != plain.result)
        << "`" << row.path() << "` changes nothing, and is not refused";
  }
}

TEST_F(SettingsTest, AreRefusedByName) {
  for (const sema::SettingRow &row : sema::settingRows()) {
    const std::vector<std::string> &sections = sema::sectionNames();
    bool isOfTrain = std::string(row.section) == "train" ||
                     std::count(sections.begin(), sections.end(), row.section) != 0;
    if (row.store || !isOfTrain) continue;
    Outcome given = outcomeOf(programWith(&row));
    if (given.refused.empty()) continue; // then it is obeyed, as the test above has found
    EXPECT_NE(given.refused.find("the setting `" + row.path() + "`"), std::string::npos)
        << given.refused;
  }
}

TEST_F(SettingsTest, HaveNoExampleOfWhatIsNone) {
  for (const auto &entry : examples()) {
    const std::vector<sema::SettingRow> &rows = sema::settingRows();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                            [&](const sema::SettingRow &row) { return row.path() == entry.first; }))
        << "`" << entry.first << "` is no setting";
  }
}

} // namespace
} // namespace dlm
