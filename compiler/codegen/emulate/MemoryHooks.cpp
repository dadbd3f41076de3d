// Stands before shared variables are replaced and address spaces vanish, since sites name them.
#include "compiler/codegen/emulate/MemoryHooks.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

namespace dlm::emulate {
namespace {

struct Access {
  DlmEmuSiteKind kind;
  const char *verb, *preposition;
  llvm::Value *address = nullptr; // null: no access
  llvm::Type *type = nullptr;
  uint32_t alignment = 1;
};

Access describe(llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {DlmEmuLoad,      "load",
            " of ",          load->getPointerOperand(),
            load->getType(), uint32_t(load->getAlign().value())};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {DlmEmuStore,
            "store",
            " to ",
            store->getPointerOperand(),
            store->getValueOperand()->getType(),
            uint32_t(store->getAlign().value())};
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {DlmEmuAtomic,
            "atomic",
            " on ",
            atomic->getPointerOperand(),
            atomic->getType(),
            uint32_t(atomic->getAlign().value())};
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {DlmEmuAtomic,
            "atomic",
            " on ",
            exchange->getPointerOperand(),
            exchange->getNewValOperand()->getType(),
            uint32_t(exchange->getAlign().value())};
  return {DlmEmuLoad, "", ""};
}

bool isPrivate(const llvm::Value *object) {
  if (llvm::isa<llvm::AllocaInst>(object)) return true;
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return variable && variable->isConstant();
}

std::string makeText(const Access &access, const llvm::Value *object) {
  std::string text = access.verb;
  llvm::raw_string_ostream stream(text);
  stream << ' ' << *access.type;
  if (llvm::isa<llvm::GlobalVariable>(object))
    stream << access.preposition << object->getName();
  else if (object->getName().starts_with("parameter "))
    stream << access.preposition << object->getName();
  return text;
}

void announceAccess(HostKernel &kernel, llvm::Instruction &instruction, const Access &access) {
  const llvm::Value *object = llvm::getUnderlyingObject(access.address, 0);
  if (isPrivate(object)) return;
  llvm::IRBuilder<> builder(&instruction);
  uint64_t size = kernel.module().getDataLayout().getTypeStoreSize(access.type);
  llvm::Value *site =
      kernel.addSite(access.kind, makeText(access, object),
                     access.address->getType()->getPointerAddressSpace(), access.alignment);
  // An instruction even for a variable: constant expressions have been expanded.
  llvm::Value *address = access.address;
  if (address->getType() != builder.getPtrTy())
    address = builder.Insert(new llvm::AddrSpaceCastInst(address, builder.getPtrTy()));
  kernel.callApi(builder, offsetof(DlmEmuApi, access), builder.getVoidTy(),
                 {address, builder.getInt32(size), site});
}

} // namespace

void prepareAccesses(HostKernel &kernel, bool announce) {
  for (llvm::Instruction *instruction : kernel.deviceCode()) {
    Access access = describe(*instruction);
    if (!access.address) continue;
    if (announce) announceAccess(kernel, *instruction, access);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction); load && !load->isAtomic())
      load->setAlignment(llvm::Align(1));
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction); store && !store->isAtomic())
      store->setAlignment(llvm::Align(1));
  }
}

} // namespace dlm::emulate
