// What the emulator counted, function by function, beside what the plan's cost model says, kernel
// by kernel: a test of the model compares the two. A kernel's scratch memory is counted by the
// emulator and not by the model, so it is told too.
#include "runtime/launch/Backend.h"

#include "runtime/device/emulator/EmulatedDriver.h"

#include <nlohmann/json.hpp>
#include <set>

namespace dlm {

namespace {

using Json = nlohmann::ordered_json;
using Code = flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>>;

/// What the launches of one kernel move, as the plan says.
struct Model {
  std::set<std::string> functions;
  uint64_t launches = 0, bytesRead = 0, bytesWritten = 0, scratchBytes = 0;
};

class ModelSum {
public:
  explicit ModelSum(const plan::Plan &plan) : plan(plan) {}

  void add(const Code *code, uint64_t runs) {
    for (uint32_t i = 0; code && i < code->size(); ++i) {
      const plan::Instruction &instruction = *code->Get(i);
      if (const plan::Launch *launch = instruction.action_as_Launch()) {
        Model &model = models[plan.kernels()->Get(launch->kernel())->symbol()->str()];
        model.bytesRead += runs * launch->bytes_read();
        model.bytesWritten += runs * launch->bytes_written();
        addStages(model, launch->stages(), runs);
      } else if (const plan::Library *library = instruction.action_as_Library()) {
        Model &model = models["contract"];
        const auto &bytes = *library->arg_bytes();
        bool accumulates = library->descriptor()->Get(6) != 0;
        model.bytesRead += runs * (bytes[0] + bytes[1] + (accumulates ? bytes[2] : 0));
        model.bytesWritten += runs * bytes[2];
        addStages(model, library->stages(), runs);
      } else if (const plan::Loop *loop = instruction.action_as_Loop()) {
        add(loop->code(), runs * loop->trips());
      }
    }
  }

  Json json() const {
    Json list = Json::array();
    for (const auto &[name, model] : models)
      list.push_back({{"kernel", name},
                      {"functions", model.functions},
                      {"launches", model.launches},
                      {"bytes_read", model.bytesRead},
                      {"bytes_written", model.bytesWritten},
                      {"scratch_bytes", model.scratchBytes}});
    return list;
  }

private:
  void addStages(Model &model, const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages,
                 uint64_t runs) {
    model.launches += runs;
    for (uint32_t i = 0; stages && i < stages->size(); ++i) {
      const plan::Stage &stage = *stages->Get(i);
      model.functions.insert(plan.functions()->Get(stage.function())->symbol()->str());
      model.scratchBytes += runs * stage.scratch_bytes();
    }
  }

  const plan::Plan &plan;
  std::map<std::string, Model> models;
};

} // namespace

std::string emulatorReportJson(const plan::Plan &plan, const std::vector<uint64_t> &runCounts) {
  const emulator::Report &report = emulator::emulatorReport();
  Json findings = Json::array(), functions = Json::object(), programs = Json::object();
  for (const emulator::Finding &finding : report.findings)
    findings.push_back({{"fault", emulator::faultName(finding.fault)},
                        {"function", finding.function},
                        {"message", finding.message},
                        {"count", finding.count}});
  for (const auto &[name, counts] : report.kernels)
    functions[name] = {{"launches", counts.launches},
                       {"threads", counts.threads},
                       {"bytes_read", counts.bytesRead},
                       {"bytes_written", counts.bytesWritten}};
  ModelSum sum(plan);
  for (uint32_t i = 0; i < runCounts.size(); ++i) {
    const plan::Program &program = *plan.programs()->Get(i);
    programs[program.name()->str()] = runCounts[i];
    sum.add(program.code(), runCounts[i]);
  }
  Json all = {{"checked", report.isChecked},
              {"findings", findings},
              {"functions", functions},
              {"programs", programs},
              {"model", sum.json()}};
  return all.dump(1) + "\n";
}

} // namespace dlm
