// Looking things up in a plan by name.
#include "runtime/executor/Engine.h"

namespace dlm {

int64_t BufferView::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Engine::Engine(const plan::Plan &plan) : thePlan(plan) {
  for (uint32_t i = 0; plan.buffers() && i < plan.buffers()->size(); ++i) {
    const plan::Buffer &buffer = *plan.buffers()->Get(i);
    if (buffer.name() && buffer.name()->size()) bufferIds[buffer.name()->str()] = i;
  }
}

int Engine::findProgram(const std::string &name) const {
  for (uint32_t i = 0; thePlan.programs() && i < thePlan.programs()->size(); ++i) {
    const flatbuffers::String *programName = thePlan.programs()->Get(i)->name();
    if (programName && programName->str() == name) return int(i);
  }
  return -1;
}

BufferView Engine::find(const std::string &name) const {
  BufferView view;
  auto found = bufferIds.find(name);
  if (found == bufferIds.end()) return view;
  const plan::Buffer &buffer = *thePlan.buffers()->Get(found->second);
  view.id = found->second;
  view.dtype = buffer.dtype();
  if (buffer.shape()) view.shape.assign(buffer.shape()->begin(), buffer.shape()->end());
  view.data = bufferAddress(view.id);
  view.sizeBytes = buffer.size_bytes();
  return view;
}

} // namespace dlm
