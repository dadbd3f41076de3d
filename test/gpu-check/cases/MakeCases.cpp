// dlm-gpu-cases: writes the trials of a program's device functions, with the reference's results,
// to a file that `dlm-gpu-check` runs on a machine without a compiler.
//
//   dlm-gpu-cases FILE.dlm OUTPUT
#include "compiler/conversion/KernelToGPU/KernelToGPU.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/driver/Registry.h"
#include "compiler/pipeline/Pipeline.h"
#include "test/gpu-check/Cases_generated.h"
#include "test/gpu-check/cases/Values.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <map>
#include <set>

using namespace mlir;

namespace dlm::gpucheck {

namespace {

using Functions = std::map<std::string, ::plan::FunctionOp>;
template <class T> using Offset = flatbuffers::Offset<T>;

/// The program as `place` leaves it.
Expected<OwningOpRef<ModuleOp>> placeProgram(const std::string &path, MLIRContext &context) {
  PipelineOptions options;
  options.emit = "place";
  options.backend.target = Target::Cuda;
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  Expected<PipelineResult> result = compileFile(path, options, sources, diagnostics);
  if (!result) return invalidArgument(renderText(diagnostics) + result.status().message());
  auto module = parseSourceString<ModuleOp>(result->text, &context);
  if (!module) return internalError("the placed program does not parse");
  return std::move(module);
}

Functions functionsOf(ModuleOp module) {
  Functions functions;
  for (auto op : module.getOps<::plan::FunctionOp>())
    functions[op.getSymName().str()] = op;
  return functions;
}

ArrayAttr stagesOf(Operation &instruction) {
  if (auto launch = dyn_cast<::plan::LaunchOp>(instruction)) return launch.getStagesAttr();
  return cast<::plan::ContractOp>(instruction).getStagesAttr();
}

/// Writes the cases down.
class CaseWriter {
public:
  /// `own`: the functions of the program itself, to which the device code belongs.
  explicit CaseWriter(const Functions &own) : own(own) {}

  /// Adds a trial with plain and with special values, if it runs functions of the program.
  Status add(const Trial &trial, ArrayAttr stages);
  std::vector<uint8_t> finish();

  size_t caseCount() const { return cases.size(); }
  /// The functions that no case runs.
  std::vector<std::string> missing() const;

private:
  Offset<Argument> argument(const reference::Tensor &tensor, const reference::Tensor *exact,
                            int shares);
  Offset<flatbuffers::Vector<Offset<Stage>>> writeStages(ArrayAttr stages);
  Status addCase(const Trial &trial, ArrayAttr stages, bool isSpecial);

  const Functions &own;
  std::set<std::string> covered;
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Offset<Case>> cases;
};

Offset<Argument> CaseWriter::argument(const reference::Tensor &tensor,
                                      const reference::Tensor *exact, int shares) {
  auto shape = builder.CreateVector(tensor.shape);
  auto bytes = builder.CreateVector(tensor.bytes);
  Offset<flatbuffers::Vector<double>> doubles;
  if (exact && exact->dtype == DType::F64)
    doubles = builder.CreateVector(exact->as<double>(), size_t(exact->elementCount()));
  return CreateArgument(builder, uint8_t(tensor.dtype), shape, bytes, doubles, shares);
}

Offset<flatbuffers::Vector<Offset<Stage>>> CaseWriter::writeStages(ArrayAttr stages) {
  std::vector<Offset<Stage>> written;
  for (auto stage : stages.getAsRange<::plan::StageAttr>()) {
    std::string name = stage.getFunction().getValue().str();
    std::vector<int64_t> numbers = stage.getNumbers().vec();
    ::plan::FunctionOp function = own.find(name)->second;
    written.push_back(CreateStageDirect(builder, name.c_str(), uint32_t(function.getBlockSize()),
                                        uint32_t(stage.getGrid()), &numbers,
                                        uint64_t(stage.getScratchBytes())));
  }
  return builder.CreateVector(written);
}

Status CaseWriter::addCase(const Trial &trial, ArrayAttr stages, bool isSpecial) {
  Expected<TrialValues> values = computeValues(trial, isSpecial, /*seed=*/cases.size());
  if (!values) return values.status();
  std::vector<Offset<Argument>> inputs, outputs;
  for (const reference::Tensor &input : values->inputs)
    inputs.push_back(argument(input, nullptr, -1));
  for (size_t i = 0; i < values->outputs.size(); ++i)
    outputs.push_back(argument(values->outputs[i], isSpecial ? nullptr : &values->exact[i],
                               trial.shares[trial.inputCount + i]));
  auto writtenStages = writeStages(stages);
  auto inputList = builder.CreateVector(inputs), outputList = builder.CreateVector(outputs);
  auto kernel = builder.CreateString(trial.kernelName());
  auto size = builder.CreateString(trial.sizeName());
  cases.push_back(
      CreateCase(builder, kernel, size, isSpecial, inputList, outputList, writtenStages));
  return Status::ok();
}

Status CaseWriter::add(const Trial &trial, ArrayAttr stages) {
  if (!stages || stages.empty()) return internalError(trial.kernelName() + " has no stages");
  for (auto stage : stages.getAsRange<::plan::StageAttr>())
    if (!own.count(stage.getFunction().getValue().str())) return Status::ok();
  for (auto stage : stages.getAsRange<::plan::StageAttr>())
    covered.insert(stage.getFunction().getValue().str());
  DLM_TRY(addCase(trial, stages, false));
  bool takesFloats =
      llvm::any_of(llvm::ArrayRef(trial.types).take_front(trial.inputCount),
                   [](RankedTensorType type) { return type.getElementType().isF32(); });
  return takesFloats ? addCase(trial, stages, true) : Status::ok();
}

std::vector<std::string> CaseWriter::missing() const {
  std::vector<std::string> names;
  for (const auto &[name, op] : own)
    if (!covered.count(name)) names.push_back(name);
  return names;
}

std::vector<uint8_t> CaseWriter::finish() {
  FinishCasesBuffer(builder, CreateCasesDirect(builder, &cases));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

Status makeCases(const std::string &path, const std::string &output) {
  DialectRegistry registry;
  registerToolDialects(registry);
  MLIRContext context(registry);
  Expected<OwningOpRef<ModuleOp>> placed = placeProgram(path, context);
  if (!placed) return placed.status();
  OwningOpRef<ModuleOp> plain = (*placed)->clone();
  if (!kernel::convertKernelsToGPU(*plain)) return internalError("the program does not convert");
  std::vector<Trial> trials = chooseTrials(**placed);
  ::plan::ProgramOp program = addTrialProgram(**placed, trials);
  if (!kernel::convertKernelsToGPU(**placed)) return internalError("the trials do not convert");
  Functions own = functionsOf(*plain);
  CaseWriter writer(own);
  size_t number = 0;
  for (Operation &instruction : program.getBody().front())
    DLM_TRY(writer.add(trials[number++], stagesOf(instruction)));
  for (const std::string &name : writer.missing())
    return internalError("no trial runs the device function " + name);
  std::vector<uint8_t> bytes = writer.finish();
  std::ofstream file(output, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
  if (!file.flush()) return notFound("cannot write " + output);
  llvm::outs() << output << ": " << writer.caseCount() << " cases for " << own.size()
               << " device functions, " << bytes.size() << " bytes\n";
  return Status::ok();
}

} // namespace

} // namespace dlm::gpucheck

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: dlm-gpu-cases FILE.dlm OUTPUT\n";
    return 1;
  }
  dlm::Status status = dlm::gpucheck::makeCases(argv[1], argv[2]);
  if (status.isOk()) return 0;
  llvm::errs() << "error: " << status.message() << "\n";
  return 1;
}
