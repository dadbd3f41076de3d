// Opening, and the parameters of a device function: arguments, scratch memory, numbers.
#include "test/gpu-check/check/Machine.h"

namespace dlm::gpucheck {

Expected<std::unique_ptr<Machine>> Machine::open(const cuda::DriverTable &driver,
                                                 const std::vector<cuda::DeviceImage> &images) {
  auto machine = std::make_unique<Machine>();
  auto device = cuda::CudaDevice::open(driver);
  if (!device) return device.status();
  machine->theDevice = device.take();
  DLM_TRY(machine->theDevice->load(images));
  auto stream = machine->theDevice->makeStream();
  if (!stream) return stream.status();
  machine->theStream = stream.take();
  for (std::unique_ptr<cuda::Event> *event : {&machine->begin, &machine->end}) {
    auto made = machine->theDevice->makeEvent();
    if (!made) return made.status();
    *event = made.take();
  }
  return machine;
}

Expected<cuda::CUfunction> Machine::find(const std::string &name) {
  auto known = functions.find(name);
  if (known != functions.end()) return known->second;
  Expected<cuda::CUfunction> found = theDevice->findFunction(name);
  if (found) functions[name] = *found;
  return found;
}

Status Machine::launch(const StageCall &stage, std::vector<cuda::CUdeviceptr> arguments,
                       cuda::CUdeviceptr scratch) {
  Expected<cuda::CUfunction> function = find(stage.function);
  if (!function) return function.status();
  arguments.push_back(scratch);
  std::vector<int64_t> numbers = stage.numbers;
  std::vector<void *> parameters;
  for (cuda::CUdeviceptr &argument : arguments)
    parameters.push_back(&argument);
  for (int64_t &number : numbers)
    parameters.push_back(&number);
  return theStream->launch(*function, stage.function, stage.grid, stage.block, parameters.data());
}

} // namespace dlm::gpucheck
