// The structs of the ABI with natural alignment, as both LLVM and the C++ compiler lay them out.
#include "compiler/codegen/emulate/ImageTable.h"

namespace dlm::emulate {
namespace {

static_assert(sizeof(DlmEmuSite) == 16 && offsetof(DlmEmuSite, text) == 8);
static_assert(sizeof(DlmEmuShared) == 24 && offsetof(DlmEmuShared, alignment) == 16);
static_assert(sizeof(DlmEmuFunction) == 56 && offsetof(DlmEmuFunction, isCooperative) == 52);
static_assert(sizeof(DlmEmuImage) == 40 && offsetof(DlmEmuImage, sites) == 32);

class TableWriter {
public:
  explicit TableWriter(llvm::Module &module) : module(module), context(module.getContext()) {}

  llvm::Constant *number(uint32_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  }
  llvm::Constant *byte(uint8_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), value);
  }
  llvm::Constant *text(llvm::StringRef value) {
    return place(llvm::ConstantDataArray::getString(context, value));
  }
  llvm::Constant *structure(llvm::ArrayRef<llvm::Constant *> members) {
    return llvm::ConstantStruct::getAnon(context, members);
  }
  /// A pointer to the elements; null if there are none.
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> elements) {
    if (elements.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
    auto *type = llvm::ArrayType::get(elements[0]->getType(), elements.size());
    return place(llvm::ConstantArray::get(type, elements));
  }
  llvm::GlobalVariable *place(llvm::Constant *value) {
    return new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, value);
  }

private:
  llvm::Module &module;
  llvm::LLVMContext &context;
};

llvm::Constant *writeFunction(TableWriter &table, HostKernel &kernel) {
  std::vector<llvm::Constant *> params, shared;
  for (uint32_t bytes : kernel.paramBytes)
    params.push_back(table.number(bytes));
  for (const SharedVariable &variable : kernel.shared)
    shared.push_back(
        table.structure({table.text(variable.name), table.number(variable.offset),
                         table.number(variable.sizeBytes), table.number(variable.alignment)}));
  return table.structure(
      {table.text(kernel.name()), &kernel.function(), table.number(params.size()),
       table.array(params), table.number(kernel.sharedBytes), table.number(shared.size()),
       table.array(shared), table.number(kernel.threadsMax), table.byte(kernel.isCooperative)});
}

} // namespace

void writeImageTable(llvm::Module &module, std::deque<HostKernel> &kernels,
                     llvm::ArrayRef<Site> sites, bool isChecked) {
  TableWriter table(module);
  std::vector<llvm::Constant *> functions, places;
  for (HostKernel &kernel : kernels)
    functions.push_back(writeFunction(table, kernel));
  for (const Site &site : sites)
    places.push_back(table.structure({table.byte(site.kind), table.byte(site.space),
                                      table.number(site.alignment), table.text(site.text)}));
  llvm::GlobalVariable *image = table.place(table.structure(
      {table.number(DlmEmuAbiVersion), table.byte(isChecked), table.number(functions.size()),
       table.array(functions), table.number(places.size()), table.array(places)}));
  image->setLinkage(llvm::GlobalValue::ExternalLinkage);
  image->setName(DlmEmuImageSymbol);
}

} // namespace dlm::emulate
