// The program `grad` is run under an observer, which only the executor on the processor has.
#include "runtime/launch/NotFiniteSearch.h"

#include "runtime/data/TableSource.h"
#include "runtime/data/formats/ShownText.h"
#include "runtime/executor/ExecutorWalk.h"
#include "runtime/executor/Observers.h"
#include "runtime/launch/PlanWork.h"

#include <cmath>
#include <cstring>

namespace dlm {

namespace {

const char *wordOf(float value) { return std::isnan(value) ? "NaN" : "infinite"; }

/// The column of a table's `number` in this place; empty if it has no name.
std::string columnName(const DataSpec &spec, const std::string &field, int64_t place,
                       int64_t width) {
  std::vector<std::string> names = numberColumns(spec);
  bool isOfTable = field == "number" && width == int64_t(names.size()); // a map may change it
  return isOfTable ? names[size_t(place)] : "";
}

/// What a program writes first that is not finite.
class FirstNotFinite {
public:
  static constexpr bool Timed = false;
  static constexpr bool Alone = true;

  Status after(const Executor &executor, const ProgramCode &code, const Step &step,
               void *const *addresses) {
    std::optional<NotFiniteWrite> found = notFiniteWrite(executor, code, step, addresses);
    if (!found) return Status::ok();
    const plan::Buffer &buffer = *executor.plan().buffers()->Get(found->buffer);
    value = found->first[found->element];
    const auto *begin = reinterpret_cast<const float *>(executor.bufferAddress(found->buffer));
    element = found->first - begin + found->element;
    if (buffer.shape()) shape.assign(buffer.shape()->begin(), buffer.shape()->end());
    location = code.instructionLocations[step.instruction];
    return Status::error(Code::NotFinite, "found");
  }

  float value = 0;
  int64_t element = 0;
  std::vector<int64_t> shape;
  uint32_t location = 0;
};

class NotFiniteSearch {
public:
  NotFiniteSearch(Session &session, std::vector<BatchTarget> &targets, const SkippedStep &step,
                  const std::atomic<int> &stop)
      : session(session), targets(targets), target(targets.front()), step(step), stop(stop) {}

  Expected<std::string> run() {
    if (std::string found = inState(); !found.empty()) return found;
    for (const StepPart &part : step.parts) {
      Expected<std::string> found = inPart(part);
      if (!found || !found->empty()) return found;
    }
    return std::string();
  }

private:
  /// In what an update of the step sees and computes, with the parameters as they are now.
  Expected<std::string> inPart(const StepPart &part) {
    target = targets[part.update];
    int64_t first = step.firstSample + part.batch * step.batch;
    for (int64_t done = 0; done < step.batch && !stop; done += target.rows) {
      DLM_TRY(load(first + done));
      if (std::string found = inBatch(); !found.empty()) return found;
      Expected<std::string> computed = inProgram(part.update);
      if (!computed || !computed->empty()) return computed;
    }
    return std::string();
  }

  std::string inState() const {
    for (const StateBinding &entry : session.state()) {
      if (entry.dtype != DType::F32 || !entry.isOfModel) continue;
      const auto *values = static_cast<const float *>(entry.data);
      int64_t found = firstNotFinite(values, int64_t(entry.sizeBytes / sizeof(float)));
      if (found >= 0)
        return "element " + std::to_string(found) + " of `" + entry.name + "` is " +
               wordOf(values[found]);
    }
    return "";
  }

  /// Puts a micro-batch where `grad` reads it.
  Status load(int64_t first) {
    numbers.resize(size_t(target.rows));
    step.order.fill(first, target.rows, numbers.data());
    const std::vector<FieldSpec> &fields = step.samples.fields();
    rows.resize(fields.size());
    std::vector<void *> places(fields.size());
    for (size_t i = 0; i < fields.size(); ++i)
      rows[i].resize(size_t(target.rows) * fields[i].sizeBytes());
    for (int64_t row = 0; row < target.rows; ++row) {
      for (size_t i = 0; i < fields.size(); ++i)
        places[i] = rows[i].data() + size_t(row) * fields[i].sizeBytes();
      uint32_t epoch = uint32_t(step.order.epoch(first + row));
      DLM_TRY(step.samples.readIn(epoch, numbers[size_t(row)], places.data()));
    }
    DLM_TRY(session.stage(target));
    for (size_t i = 0; i < fields.size(); ++i)
      if (target.buffers[i] >= 0)
        std::memcpy(target.fields[i], rows[i].data(), target.fieldBytes[i]);
    return Status::ok();
  }

  std::string inBatch() const {
    const std::vector<FieldSpec> &fields = step.samples.fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].dtype != DType::F32 || target.buffers[i] < 0) continue;
      const auto *values = reinterpret_cast<const float *>(rows[i].data());
      int64_t width = fields[i].elementCount();
      int64_t found = firstNotFinite(values, width * target.rows);
      if (found < 0) continue;
      std::string column = columnName(step.spec, fields[i].name, found % width, width);
      std::string place = !column.empty() ? ", column \"" + shownText(column) + "\","
                          : width > 1     ? ", element " + std::to_string(found % width) + ","
                                          : "";
      return "`" + fields[i].name + "` of " + sampleText(found / width) + place + " is " +
             wordOf(values[found]);
    }
    return "";
  }

  Expected<std::string> inProgram(size_t update) {
    auto *executor = dynamic_cast<Executor *>(&session.engine());
    if (!executor) return std::string();
    FirstNotFinite observer;
    const plan::Recipe *recipe = executor->plan().recipe();
    std::string name = "grad";
    if (recipe && recipe->updates() && recipe->updates()->size() > 0)
      name += "_" + recipe->updates()->Get(unsigned(update))->name()->str();
    if (executor->run(executor->findProgram(name), observer).isOk()) return std::string();
    std::string place = placeOf(executor->plan(), observer.location);
    std::string layer = layerOf(executor->plan(), observer.location);
    if (place.empty()) return std::string();
    std::string text = "the first number that is " + std::string(wordOf(observer.value)) +
                       " is computed at " + place;
    if (!layer.empty()) text += ", in `" + layer + "`";
    bool isOfBatch = observer.shape.size() > 0 && observer.shape[0] == target.rows;
    if (!isOfBatch) return text;
    int64_t width = 1;
    for (size_t axis = 1; axis < observer.shape.size(); ++axis)
      width *= observer.shape[axis];
    return text + ", for " + sampleText(observer.element / std::max<int64_t>(width, 1));
  }

  /// `row`: of the micro-batch.
  std::string sampleText(int64_t row) const {
    return "sample " + std::to_string(numbers[size_t(row)]) + " of the training part";
  }

  Session &session;
  std::vector<BatchTarget> &targets;
  BatchTarget target; // of the update that is looked at
  const SkippedStep &step;
  const std::atomic<int> &stop;
  std::vector<int64_t> numbers;           // of the samples of the micro-batch
  std::vector<std::vector<uint8_t>> rows; // of it, by field
};

} // namespace

std::string whereNotFinite(Session &session, std::vector<BatchTarget> &targets,
                           const SkippedStep &step, const std::atomic<int> &stop) {
  Expected<std::string> found = NotFiniteSearch(session, targets, step, stop).run();
  return found ? *found : "";
}

} // namespace dlm
