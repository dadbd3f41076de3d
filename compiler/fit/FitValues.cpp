// All functions are compiled together and see the samples once; then each is run, for a table's
// columns once for each of them.
#include "compiler/fit/FitValues.h"

#include "compiler/fit/FitColumns.h"
#include "compiler/fit/FitData.h"
#include "compiler/fit/FitProgram.h"
#include "compiler/fit/ZeroDivisors.h"
#include "compiler/sema/tensor/GraphWalk.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>

namespace dlm::fit {

namespace {

/// The most memory that samples and what is computed from them may take.
constexpr uint64_t FitBytesMax = uint64_t(4) << 30;

std::vector<Fit> fitsOf(const sema::TypedProgram &program) {
  std::vector<Fit> fits;
  auto add = [&](const auto &stored) {
    for (const sema::Node &node : stored.init.nodes)
      if (node.op == "fit")
        fits.push_back({stored.path, node.bodies[0].get(), node.ints.empty() ? 0 : node.ints[0],
                        node.type, stored.initSpan});
  };
  for (const sema::Parameter &parameter : program.parameters)
    add(parameter);
  for (const sema::Buffer &buffer : program.buffers)
    add(buffer);
  return fits;
}

class Fitting {
public:
  Fitting(const sema::TypedProgram &program, const SourceManager &sources,
          DiagnosticEngine &diagnostics)
      : program(program), sources(sources), diagnostics(diagnostics), fits(fitsOf(program)),
        data(*fits.front().graph->source) {}

  Expected<lower::FittedValues> run();

private:
  Status reported(Kind kind, Span span, const std::string &message) {
    diagnostics.report(kind, span, message);
    return invalidArgument("");
  }
  Status checkMemory(const FitProgram &compiled);
  Status compute(FitProgram &compiled, FitData &samples, const Fit &fit);
  Status checkPresent(const FitData &samples, const Fit &fit);
  Status checkFinite(const Fit &fit, const std::vector<uint8_t> &bytes);
  void listFields();

  const sema::TypedProgram &program;
  const SourceManager &sources;
  DiagnosticEngine &diagnostics;
  std::vector<Fit> fits;
  const sema::DataSource &data; // of all of them: the run's, as it is read
  lower::FittedValues values;
};

Status Fitting::checkMemory(const FitProgram &compiled) {
  if (compiled.memoryBytes() <= FitBytesMax) return Status::ok();
  return reported(Kind::NotYet, fits.front().span,
                  "`data.fit` cannot be computed yet over so much data: all samples are in memory "
                  "at once, which takes " +
                      std::to_string(compiled.memoryBytes() >> 20) + " MiB of at most " +
                      std::to_string(FitBytesMax >> 20));
}

/// The fields that the fits read, each once.
void Fitting::listFields() {
  std::set<std::string> names;
  for (const Fit &fit : fits)
    sema::forEachNode(*fit.graph, [&](const sema::Node &node) {
      if (node.op == "input") names.insert(node.text);
    });
  values.fields.assign(names.begin(), names.end());
}

Status Fitting::compute(FitProgram &compiled, FitData &samples, const Fit &fit) {
  std::vector<uint8_t> &bytes = values.bytes[fit.path];
  for (int64_t column = 0; column < std::max<int64_t>(1, fit.columns); ++column) {
    if (fit.columns > 0) samples.placeColumn(compiled, column);
    compiled.run(fit);
    BufferView result = compiled.find(fit.result());
    auto *first = static_cast<const uint8_t *>(result.data);
    bytes.insert(bytes.end(), first, first + result.sizeBytes);
  }
  return checkFinite(fit, bytes);
}

/// The largest of no numbers is a number, too, and the lowest that there is.
Status Fitting::checkPresent(const FitData &samples, const Fit &fit) {
  if (!readsNumbers(fit, data)) return Status::ok();
  std::optional<size_t> column = samples.firstEmptyColumn();
  if (!column) return Status::ok();
  std::string name = numberColumn(data, *column);
  diagnostics
      .report(Kind::DataSource, fit.span,
              "`data.fit` has nothing to compute `" + fit.path + "` from for the column \"" + name +
                  "\": it has no value in any of the " + std::to_string(data.trainCount) +
                  " training samples")
      .note("the table is `" + data.path + "`")
      .help("leave the column out: `drop = [\"" + name + "\"]`");
  return invalidArgument("");
}

/// A statistic that is no number would make every loss none.
Status Fitting::checkFinite(const Fit &fit, const std::vector<uint8_t> &bytes) {
  if (fit.type.dtype != sema::DType::F32) return Status::ok();
  size_t count = bytes.size() / sizeof(float);
  for (size_t i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    if (std::isfinite(value)) continue;
    std::string column = columnOf(fit, data, i, count);
    std::string where = !column.empty() ? ", in the column \"" + column + "\""
                        : count > 1     ? ", in element " + std::to_string(i)
                                        : "";
    return reported(Kind::DataSource, fit.span,
                    std::string("`data.fit` gives ") + (std::isnan(value) ? "NaN" : "infinity") +
                        " for `" + fit.path + "`" + where);
  }
  return Status::ok();
}

Expected<lower::FittedValues> Fitting::run() {
  Expected<std::unique_ptr<FitProgram>> compiled = FitProgram::compile(fits, program, sources);
  if (!compiled) return compiled.status();
  DLM_TRY(checkMemory(**compiled));
  Expected<FitData> samples = FitData::open(data);
  if (!samples) return reported(Kind::DataSource, data.span, samples.status().message());
  DLM_TRY((*compiled)->open());
  bool isTable = std::any_of(fits.begin(), fits.end(), [&](const Fit &fit) {
    return fit.columns > 0 || readsNumbers(fit, data);
  });
  Status placed = samples->placeFields(**compiled);
  if (placed.isOk() && isTable) placed = samples->gatherColumns();
  if (!placed.isOk()) return reported(Kind::DataSource, data.span, placed.message());
  for (const Fit &fit : fits)
    DLM_TRY(checkPresent(*samples, fit));
  for (const Fit &fit : fits)
    DLM_TRY(compute(**compiled, *samples, fit));
  listFields();
  Expected<std::string> hash = samples->hash(values.fields);
  if (!hash) return hash.status();
  values.hash = hash.take();
  warnOfZeroDivisors(program, fits, values, data, diagnostics);
  return std::move(values);
}

} // namespace

bool hasFits(const sema::TypedProgram &program) { return !fitsOf(program).empty(); }

Expected<lower::FittedValues> fitValues(const sema::TypedProgram &program,
                                        const SourceManager &sources,
                                        DiagnosticEngine &diagnostics) {
  return Fitting(program, sources, diagnostics).run();
}

} // namespace dlm::fit
