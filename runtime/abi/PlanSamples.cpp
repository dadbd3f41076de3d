// What a plan promises of the samples that its programs make: that every thread which makes them
// can do so with an arena of its own, and knows where everything goes.
#include "runtime/abi/PlanChecks.h"

#include <map>

namespace dlm {

namespace {

constexpr const char *InPrefix = "sample.in.";
constexpr const char *OutPrefix = "sample.out.";
constexpr const char *OptionPrefix = "sample.option.";

constexpr const char *SamplePredict = "sample_predict";

const plan::Program *findProgram(const plan::Plan &plan, const std::string &name) {
  for (uint32_t i = 0; i < planLength(plan.programs()); ++i)
    if (planText(plan.programs()->Get(i)->name()) == name) return plan.programs()->Get(i);
  return nullptr;
}

bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool isPerThread(const plan::Plan &plan, const plan::Buffer &buffer) {
  return plan.arenas()->Get(buffer.arena())->per_thread();
}

class SampleChecks {
public:
  explicit SampleChecks(const plan::Plan &plan)
      : plan(plan), data(plan.recipe() ? plan.recipe()->data() : nullptr) {
    for (uint32_t id = 0; id < planLength(plan.buffers()); ++id)
      buffers[planText(plan.buffers()->Get(id)->name())] = id;
  }

  Status run() const {
    if (!plan.recipe()) return Status::ok(); // programs without a run around them
    for (uint32_t id = 0; id < planLength(plan.buffers()); ++id) {
      const plan::Buffer &buffer = *plan.buffers()->Get(id);
      if (!buffer.persistent() || !isPerThread(plan, buffer)) continue;
      if (Status status = checkNamed(id); !status.isOk())
        return status.withContext(planBufferText(plan, id));
    }
    if (!data || planLength(data->mapped()) == 0) return Status::ok();
    if (planLength(data->fields()) == 0) return corrupt("they are made of no fields");
    for (uint32_t i = 0; i < planLength(data->mapped()); ++i)
      DLM_TRY(checkOutput(*data->mapped()->Get(i)));
    DLM_TRY(checkProgram("sample_train"));
    if (findProgram(plan, "predict")) DLM_TRY(checkProgram(SamplePredict));
    return checkProgram("sample_eval");
  }

private:
  /// A buffer that threads keep between samples is one of those that somebody fills.
  Status checkNamed(uint32_t id) const {
    const plan::Buffer &buffer = *plan.buffers()->Get(id);
    std::string name = planText(buffer.name());
    if (name == "sample.seed" || name == "sample.draw")
      return buffer.dtype() == plan::DType::I64 && planLength(buffer.shape()) == 0
                 ? Status::ok()
                 : corrupt("it is not an i64 scalar");
    if (startsWith(name, OptionPrefix)) return checkOption(buffer, name);
    const auto *fields = !data                         ? nullptr
                         : startsWith(name, InPrefix)  ? data->fields()
                         : startsWith(name, OutPrefix) ? data->mapped()
                                                       : nullptr;
    std::string prefix = startsWith(name, InPrefix) ? InPrefix : OutPrefix;
    for (uint32_t i = 0; i < planLength(fields); ++i)
      if (prefix + planText(fields->Get(i)->name()) == name)
        return holds(buffer, *fields->Get(i)) ? Status::ok()
                                              : corrupt("it does not hold the field of its name");
    return corrupt("each thread has its own, and nobody gives it a value");
  }

  Status checkOption(const plan::Buffer &buffer, const std::string &name) const {
    for (uint32_t i = 0; i < planLength(plan.options()); ++i) {
      const plan::Option &option = *plan.options()->Get(i);
      if (OptionPrefix + planText(option.name()) != name) continue;
      return buffer.dtype() == option.dtype() && planLength(buffer.shape()) == 0
                 ? Status::ok()
                 : corrupt("it is not a scalar of the option's type");
    }
    return corrupt("there is no such option");
  }

  static bool holds(const plan::Buffer &buffer, const plan::Field &field) {
    bool same = buffer.dtype() == field.dtype() && planAligned(field.shape()) &&
                planLength(buffer.shape()) == planLength(field.shape());
    for (uint32_t d = 0; same && d < planLength(field.shape()); ++d)
      same = buffer.shape()->Get(d) == field.shape()->Get(d);
    return same;
  }

  /// The buffer itself has been looked at by its name.
  Status checkOutput(const plan::Field &field) const {
    auto found = buffers.find(OutPrefix + planText(field.name()));
    if (found == buffers.end() || found->second != field.buffer() ||
        !plan.buffers()->Get(found->second)->persistent() ||
        !isPerThread(plan, *plan.buffers()->Get(found->second)))
      return corrupt("no thread has a buffer for the field `" + planText(field.name()) +
                     "` of samples");
    return Status::ok();
  }

  Status checkProgram(const std::string &name) const {
    const plan::Program *program = findProgram(plan, name);
    return program && program->per_thread()
               ? Status::ok()
               : corrupt("there is no program `" + name + "` for threads");
  }

  const plan::Plan &plan;
  const plan::DataSource *data;
  std::map<std::string, uint32_t> buffers; // by name
};

} // namespace

Status verifySamples(const plan::Plan &plan) {
  return SampleChecks(plan).run().withContext("samples");
}

std::vector<uint32_t> planSampleFields(const plan::Plan &plan) {
  std::vector<uint32_t> ids;
  const plan::DataSource *data = plan.recipe() ? plan.recipe()->data() : nullptr;
  for (uint32_t i = 0; data && i < planLength(data->mapped()); ++i)
    ids.push_back(data->mapped()->Get(i)->buffer());
  return ids;
}

std::vector<uint32_t> planSampleOutputs(const plan::Plan &plan, const plan::Program &program) {
  if (planText(program.name()) != SamplePredict) return planSampleFields(plan);
  std::vector<uint32_t> ids;
  const plan::Program *predict = findProgram(plan, "predict");
  const auto *fields = predict ? predict->signature() : nullptr;
  const plan::DataSource *data = plan.recipe() ? plan.recipe()->data() : nullptr;
  for (uint32_t i = 0; data && i < planLength(data->mapped()); ++i)
    for (uint32_t f = 0; f < planLength(fields); ++f)
      if (planText(fields->Get(f)->name()) == planText(data->mapped()->Get(i)->name()))
        ids.push_back(data->mapped()->Get(i)->buffer());
  return ids;
}

} // namespace dlm
