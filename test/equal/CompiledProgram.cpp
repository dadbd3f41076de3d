// The compiled side of the equality tests of whole programs.
#include "test/equal/CompiledProgram.h"

#include "runtime/abi/PlanVerify.h"
#include "runtime/base/Philox.h"
#include "runtime/executor/DeviceExecutor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace dlm::test {

using reference::Tensor;

std::unique_ptr<RunnableProgram> RunnableProgram::create(ModuleOp module,
                                                         const BackendOptions &options) {
  auto program = std::unique_ptr<RunnableProgram>(new RunnableProgram);
  OwningOpRef<ModuleOp> copy = module.clone();
  Phases phases({});
  std::string text;
  Expected<CompiledProgram> compiled = runBackend(*copy, options, phases, text);
  EXPECT_TRUE(compiled.isOk()) << compiled.status().message();
  if (!compiled) return nullptr;
  program->bytes = compiled.take();
  program->openPlan();
  if (!program->plan) return nullptr;
  if (options.target == Target::Cuda) return program;
  auto *code = reinterpret_cast<const uint8_t *>(program->bytes.kernels.data());
  Expected<std::unique_ptr<KernelLibrary>> kernels =
      openKernelLibrary(code, program->bytes.kernels.size());
  EXPECT_TRUE(kernels.isOk()) << kernels.status().message();
  if (!kernels) return nullptr;
  program->kernels = kernels.take();
  return program;
}

void RunnableProgram::openPlan() {
  aligned.assign(bytes.plan.size() / 8 + 2, 0);
  auto *start = reinterpret_cast<uint8_t *>(aligned.data());
  start += reinterpret_cast<uintptr_t>(start) % 16; // std::vector aligns to 8 at least
  std::memcpy(start, bytes.plan.data(), bytes.plan.size());
  Expected<const plan::Plan *> loaded = loadPlan(start, bytes.plan.size());
  EXPECT_TRUE(loaded.isOk()) << loaded.status().message();
  plan = loaded ? *loaded : nullptr;
}

void RunnableProgram::changePlan(const std::function<void(plan::PlanT &)> &change) {
  std::unique_ptr<plan::PlanT> unpacked(plan->UnPack());
  change(*unpacked);
  flatbuffers::FlatBufferBuilder builder;
  plan::FinishPlanBuffer(builder, plan::Plan::Pack(builder, unpacked.get()));
  bytes.plan.assign(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  openPlan();
}

static void expectOk(const Status &status) { EXPECT_TRUE(status.isOk()) << status.message(); }

/// What every driver of an engine does: fill the buffers, run, look at them.
static Status runOn(Engine &engine, const ProgramCase &one, NamedTensors &results) {
  for (const auto &[name, tensor] : one.inputs) {
    BufferView buffer = engine.find(name);
    EXPECT_TRUE(bool(buffer)) << "no buffer " << name;
    EXPECT_EQ(buffer.sizeBytes, tensor.bytes.size()) << name;
    if (buffer) std::memcpy(buffer.data, tensor.bytes.data(), tensor.bytes.size());
  }
  DLM_TRY(engine.push());
  DLM_TRY(engine.start(engine.findProgram(one.program)));
  DLM_TRY(engine.pull());
  for (const auto &[name, expected] : one.expected) {
    BufferView buffer = engine.find(name);
    EXPECT_TRUE(bool(buffer)) << "no buffer " << name;
    if (!buffer) continue;
    Tensor tensor = Tensor::zeros(static_cast<DType>(buffer.dtype), buffer.shape);
    std::memcpy(tensor.bytes.data(), buffer.data, tensor.bytes.size());
    results[name] = std::move(tensor);
  }
  return Status::ok();
}

NamedTensors RunnableProgram::run(const ProgramCase &one, unsigned workers) const {
  ExecutorOptions options;
  options.workers = workers;
  for (const plan::Program *program : *plan->programs())
    if (program->name()->str() == one.program) options.perThread = program->per_thread();
  Expected<std::unique_ptr<Executor>> executor = Executor::open(*plan, *kernels, options);
  expectOk(executor.status());
  NamedTensors results;
  if (executor) expectOk(runOn(**executor, one, results));
  return results;
}

EmulatedRun RunnableProgram::runEmulated(const ProgramCase &one,
                                         const emulator::DriverOptions &options) const {
  Expected<std::unique_ptr<cuda::CudaDevice>> device =
      cuda::CudaDevice::open(*emulator::openEmulatedDriver(options));
  expectOk(device.status());
  std::vector<cuda::DeviceImage> images;
  for (const CodeImage &image : bytes.images)
    if (image.name == "emulator")
      images.push_back(
          {image.name, reinterpret_cast<const uint8_t *>(image.bytes.data()), image.bytes.size()});
  expectOk((*device)->load(images));
  DeviceExecutorOptions watched;
  watched.memoryWatch = &emulator::memoryWatch();
  Expected<std::unique_ptr<DeviceExecutor>> executor =
      DeviceExecutor::open(*plan, **device, watched);
  expectOk(executor.status());
  EmulatedRun run;
  if (executor) run.status = runOn(**executor, one, run.results);
  run.findings = emulator::emulatorReport().findings;
  return run;
}

std::vector<ProgramCase> makeCases(ModuleOp module, float specialShare) {
  std::vector<ProgramCase> cases;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    NamedTensors inputs = someInputs(function, 7);
    if (specialShare > 0) putSpecialValues(inputs, specialShare);
    cases.push_back({function.getName().str(), inputs, interpretBuffers(function, inputs)});
  }
  return cases;
}

static DType typeOf(Type element) {
  if (element.isF32()) return DType::F32;
  if (element.isInteger(64)) return DType::I64;
  if (element.isInteger(32)) return DType::I32;
  return element.isInteger(1) ? DType::Bool : DType::U8;
}

NamedTensors someInputs(func::FuncOp function, uint32_t seed) {
  NamedTensors inputs;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    auto type = cast<RankedTensorType>(function.getArgument(index).getType());
    Tensor tensor = Tensor::zeros(typeOf(type.getElementType()), type.getShape().vec());
    for (int64_t i = 0; i < tensor.elementCount(); ++i) {
      float value = randomUniform({seed, 0, index, uint64_t(i)});
      switch (tensor.dtype) {
      case DType::F32:
        tensor.as<float>()[i] = 2 * value - 1;
        break;
      case DType::I64:
        tensor.as<int64_t>()[i] = int64_t(value * 10);
        break;
      case DType::I32:
        tensor.as<int32_t>()[i] = int32_t(value * 10);
        break;
      case DType::Bool:
        tensor.as<uint8_t>()[i] = value < 0.5f;
        break;
      default:
        tensor.as<uint8_t>()[i] = uint8_t(value * 256);
        break;
      }
    }
    inputs[reference::argumentName(function, index)] = std::move(tensor);
  }
  return inputs;
}

void putSpecialValues(NamedTensors &inputs, float share) {
  using Limits = std::numeric_limits<float>;
  constexpr float infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  const float values[] = {nan,           -nan,          infinity,
                          -infinity,     0.0f,          -0.0f,
                          1.0f,          Limits::max(), Limits::denorm_min(),
                          -Limits::min()};
  const float rows[][2] = {{nan, -nan}, {-infinity, -infinity}, {-0.0f, 0.0f}};
  uint32_t site = 0;
  for (auto &[name, tensor] : inputs) {
    ++site;
    if (tensor.dtype != DType::F32) continue;
    int64_t width = share >= 0.1f && tensor.shape.size() == 2 ? tensor.shape[1] : 0;
    for (int64_t i = 0; i < tensor.elementCount(); ++i) {
      float &element = tensor.as<float>()[i];
      if (i < 3 * width)
        element = rows[i / width][i % 2];
      else if (randomUniform({11, 0, site, uint64_t(i)}) < share)
        element = values[int(10 * randomUniform({12, 0, site, uint64_t(i)}))];
    }
  }
}

NamedTensors interpretBuffers(func::FuncOp function, const NamedTensors &inputs) {
  std::vector<Tensor> arguments;
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    arguments.push_back(inputs.at(reference::argumentName(function, index)));
  auto results = reference::interpret(function, arguments, reference::Mode::F32);
  EXPECT_TRUE(results.isOk()) << results.status().message();
  NamedTensors buffers = inputs;
  for (unsigned index = 0; results && index < results->size(); ++index)
    buffers[reference::resultName(function, index)] = (*results)[index];
  return buffers;
}

/// The first element that differs, or -1.
static int64_t differingElement(const Tensor &expected, const Tensor &actual) {
  int64_t size = int64_t(expected.bytes.size()) / std::max<int64_t>(1, expected.elementCount());
  for (int64_t i = 0; i < expected.elementCount(); ++i) {
    if (!std::memcmp(expected.bytes.data() + i * size, actual.bytes.data() + i * size, size))
      continue;
    bool bothNan = expected.dtype == DType::F32 && std::isnan(expected.as<float>()[i]) &&
                   std::isnan(actual.as<float>()[i]);
    if (!bothNan) return i;
  }
  return -1;
}

std::string firstDifference(const NamedTensors &expected, const NamedTensors &actual) {
  for (const auto &[name, tensor] : expected) {
    auto found = actual.find(name);
    if (found == actual.end()) return name + " is missing";
    if (found->second.bytes.size() != tensor.bytes.size()) return name + " has another size";
    int64_t at = differingElement(tensor, found->second);
    if (at < 0) continue;
    std::string text = name + " differs at element " + std::to_string(at);
    if (tensor.dtype == DType::F32)
      text += ": " + std::to_string(tensor.as<float>()[at]) + " and " +
              std::to_string(found->second.as<float>()[at]);
    return text;
  }
  return "";
}

} // namespace dlm::test
