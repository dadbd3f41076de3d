// The names of a file: its own declarations, in any order, the modules it uses, and the library.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/LaterNames.h"
#include "compiler/sema/modules/LibraryTexts.h"
#include "compiler/sema/modules/ModuleFiles.h"
#include "compiler/sema/value/DTypes.h"

#include <algorithm>
#include <filesystem>

namespace dlm::sema {

namespace {

void declareBuiltins(Scope &scope, const BuiltinTable &table) {
  for (const Builtin &builtin : table) {
    Binding &binding = scope.bindings[builtin.name];
    binding.value = Value::builtin(builtin);
    binding.declared = Declared::Library;
  }
}

/// The part of a module that is written in the compiler; null if there is none.
const BuiltinTable *builtinModule(const std::string &name) {
  if (name == "data") return &dataBuiltins();
  if (name == "init") return &initialiserBuiltins();
  if (name == "random") return &randomBuiltins();
  return nullptr;
}

/// The path of a file without links, by which it is known however it was reached.
std::string realPath(const SourceManager &sources, FileId file) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::weakly_canonical(fs::path(std::string(sources.path(file))), error).string();
}

} // namespace

void Evaluator::declareLibrary() {
  for (const BuiltinTable *table :
       {&pointwiseBuiltins(), &reductionBuiltins(), &shapeBuiltins(), &joinBuiltins(),
        &einsumBuiltins(), &rearrangeBuiltins(), &orderBuiltins(), &listBuiltins(),
        &windowBuiltins(), &creationBuiltins(), &initialiserBuiltins(), &loopBuiltins(),
        &gradientBuiltins(), &markerBuiltins(), &generateBuiltins()})
    declareBuiltins(*library, *table);
  for (const DTypeRow &row : dtypeRows()) {
    Binding &binding = library->bindings[row.name];
    binding.value = Value::string(row.name);
    binding.declared = Declared::Library;
  }
  ScopePtr random = makeScope(library);
  declareBuiltins(*random, randomBuiltins());
  moduleScopes["random"] = random;
  library->bindings["random"].value = Value::module({"random", random});
  library->bindings["random"].declared = Declared::Library;
  const ModuleFile *prelude = modules.findInLibrary("prelude");
  if (!prelude || !prelude->file) return;
  report.libraryFiles.insert(prelude->id);
  loadFile(*prelude->file, library, true);
}

/// Declares a `let` of a file: its value is made when one of its names is first asked for.
void Evaluator::declareLet(const ast::Stmt &let, const ScopePtr &scope, bool isLibrary) {
  auto parts = std::make_shared<std::vector<Value>>(); // of a tuple, once they are known
  for (size_t i = 0; i < let.pattern.names.size(); ++i) {
    const ast::Name &name = let.pattern.names[i];
    Binding binding;
    binding.state = Binding::Waiting;
    if (isLibrary) binding.declared = Declared::Library;
    if (!let.pattern.isTuple) binding.written = let.value->span;
    binding.make = [this, &let, scope, parts, i] {
      if (!parts->empty()) return (*parts)[i];
      context.path = let.pattern.names[0].text;
      Operand operand = evalOperand(*let.value, scope);
      if (let.type)
        operand.value =
            conform(*let.type, operand, scope, "`" + let.pattern.names[0].text + "`", false);
      if (operand.value.is(ValueKind::Data) && operand.value.asData().name.empty()) {
        DataSource named = operand.value.asData();
        named.name = let.pattern.names[0].text;
        operand.value = Value::data(std::move(named));
      }
      if (!let.pattern.isTuple) return operand.value;
      *parts = partsOf(let.pattern, operand.value, operand.span);
      return (*parts)[i];
    };
    declare(*scope, name, std::move(binding));
  }
}

void Evaluator::loadFile(const ast::File &file, const ScopePtr &scope, bool isLibrary) {
  auto add = [&](const ast::Name &name, Value value, Declared declared) {
    Binding binding;
    binding.value = std::move(value);
    binding.declared = isLibrary ? Declared::Library : declared;
    declare(*scope, name, std::move(binding));
  };
  loading.emplace_back(file.file, realPath(sources, file.file));
  for (const ast::Use &use : file.uses) {
    const ast::Name &name = use.alias.text.empty() ? use.path.back() : use.alias;
    add(name, loadModule(use, file.file), Declared::Module);
  }
  loading.pop_back();
  for (const ast::Option &option : file.options)
    declareOption(option, scope);
  for (const ast::Stmt &condition : file.conditions)
    program.conditions.emplace_back(&condition, scope);
  for (const ast::Function &function : file.functions)
    add(function.name, makeFunction(function, scope), Declared::Function);
  for (const ast::Model &model : file.models)
    add(model.name, Value::modelType({&model, scope}), Declared::Model);
  for (const ast::Optimizer &optimizer : file.optimizers)
    add(optimizer.name, Value::optimizerType({&optimizer, scope, "", {}}), Declared::Optimizer);
  for (const ast::Stmt &let : file.lets)
    declareLet(let, scope, isLibrary);
  if (report.libraryFiles.count(file.file)) // they give on names of parts, which editors ask for
    for (const ast::Stmt &let : file.lets)
      force(scope->bindings[let.pattern.names[0].text], let.pattern.names[0].span);
  for (const ast::Train &train : file.trains) { // no declaration: other names come first
    Binding binding;
    binding.value = Value::train({&train, scope});
    binding.span = train.name.span;
    scope->bindings.emplace(train.name.text, std::move(binding));
  }
}

/// Advice for a name that is a module of the library, or that one declares.
std::string Evaluator::moduleAdvice(const std::string &name) {
  std::vector<std::string> names = {"data", "init", "random"};
  for (const LibraryText &text : libraryTexts())
    if (text.isForPrograms()) names.emplace_back(text.name);
  for (const std::string &module : names) {
    if (module == name) return "`use " + name + "` at the head of the file makes it known";
    bool isThere = false;
    if (const BuiltinTable *table = builtinModule(module))
      for (const Builtin &builtin : *table)
        isThere |= name == builtin.name;
    const ModuleFile *found = modules.findInLibrary(module);
    if (found && found->file) {
      for (const ast::Function &function : found->file->functions)
        isThere |= function.name.text == name;
      for (const ast::Model &model : found->file->models)
        isThere |= model.name.text == name;
      for (const ast::Optimizer &optimizer : found->file->optimizers)
        isThere |= optimizer.name.text == name;
      for (const ast::Stmt &let : found->file->lets)
        for (const ast::Name &each : let.pattern.names)
          isThere |= each.text == name;
    }
    if (module != "data" && isLaterName(module, name)) // whose names are common words
      return "`" + module + "." + name + "` is of the language, and cannot be compiled yet";
    if (isThere)
      return "it is in the module `" + module + "`: `use " + module + "`, and write `" + module +
             "." + name + "`";
  }
  return "";
}

/// Whether the file is one of those whose `use` led here, which is reported.
bool Evaluator::isCircle(const ast::Use &use, FileId file) {
  std::string path = realPath(sources, file);
  auto begin = std::find_if(loading.begin(), loading.end(),
                            [&](const auto &each) { return each.second == path; });
  if (begin == loading.end()) return false;
  std::vector<std::string> names;
  for (auto each = begin; each != loading.end(); ++each)
    names.emplace_back(sources.path(each->first));
  constexpr size_t shownMax = 4;
  size_t hidden = names.size() - std::min(names.size(), shownMax);
  names.resize(names.size() - hidden);
  if (names.size() == 1)
    report(Kind::ModuleCycle, use.span, "the file uses itself");
  else
    report(Kind::ModuleCycle, use.span, "files use each other in a circle")
        .note("the circle is " + joinNames(names) +
              (hidden ? " and " + std::to_string(hidden) + " more" : ""))
        .help("move what both need to a file of its own, which uses neither");
  return true;
}

Value Evaluator::loadModule(const ast::Use &use, FileId from) {
  std::string name, path;
  for (const ast::Name &part : use.path) {
    name += (name.empty() ? "" : ".") + part.text;
    path += (path.empty() ? "" : "/") + part.text;
  }
  bool isOfLibrary = report.libraryFiles.count(from) != 0; // which no file beside can replace
  const ModuleFile *module = isOfLibrary ? modules.findInLibrary(name) : modules.find(name, from);
  const BuiltinTable *builtins = builtinModule(name);
  if (!module && !builtins) {
    std::vector<std::string> names = {"data", "init", "random"};
    for (const LibraryText &text : libraryTexts())
      if (text.isForPrograms()) names.emplace_back(text.name);
    report(Kind::UnknownModule, use.span, "there is no module `" + name + "`")
        .nearest("a module", name, use.path.back().span, names)
        .note("a module is a file `" + path + ".dlm` beside this one, or a part of the library");
    return Value();
  }
  if (module && module->hidesLibrary)
    report(Kind::LocalModule, use.span,
           "`" + name + "` is the file beside this one, not the library's module");
  if (module && !module->fault.empty())
    report(Kind::MissingFile, use.path.back().span, module->fault);
  if (module && !module->file) return Value(); // its syntax errors are reported
  if (module && !module->isLibrary && isCircle(use, module->id)) return Value();
  std::string key = module ? std::string(sources.path(module->id)) : name;
  auto known = moduleScopes.find(key);
  if (known != moduleScopes.end()) return Value::module({name, known->second});
  ScopePtr scope = makeScope(library);
  moduleScopes[key] = scope;
  bool isLibrary = !module || module->isLibrary;
  if (builtins && isLibrary) declareBuiltins(*scope, *builtins);
  if (module) {
    if (isLibrary) report.libraryFiles.insert(module->id);
    loadFile(*module->file, scope, false);
  }
  return Value::module({name, scope});
}

} // namespace dlm::sema
