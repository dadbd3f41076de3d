// Dictionaries of the module, field by field; their keys are in dialects/train/README.md.
#include "compiler/codegen/plan/PlanTables.h"

#include <mlir/IR/BuiltinAttributes.h>

#include <algorithm>
#include <tuple>

using namespace mlir;

namespace dlm {

/// Buffers that the memory report names.
static constexpr size_t ReportLineMax = 12;

plan::DType planType(Type elementType) {
  if (elementType.isF32()) return plan::DType::F32;
  if (elementType.isInteger(64)) return plan::DType::I64;
  if (elementType.isInteger(32)) return plan::DType::I32;
  return elementType.isInteger(1) ? plan::DType::Bool : plan::DType::U8;
}

std::vector<int64_t> planShape(Type tensorType) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensorType).getShape();
  return {shape.begin(), shape.end()};
}

static std::string textOf(DictionaryAttr fields, StringRef key) {
  auto value = fields.getAs<StringAttr>(key);
  return value ? value.getValue().str() : std::string();
}

static int64_t numberOf(DictionaryAttr fields, StringRef key) {
  auto value = fields.getAs<IntegerAttr>(key);
  return value ? value.getInt() : 0;
}

static bool flagOf(DictionaryAttr fields, StringRef key) {
  auto value = fields.getAs<BoolAttr>(key);
  return value && value.getValue();
}

static double realOf(DictionaryAttr fields, StringRef key) {
  auto value = fields.getAs<FloatAttr>(key);
  return value ? value.getValueAsDouble() : 0;
}

static std::vector<std::string> textsOf(DictionaryAttr fields, StringRef key) {
  std::vector<std::string> result;
  if (auto list = fields.getAs<ArrayAttr>(key))
    for (auto entry : list.getAsRange<StringAttr>())
      result.push_back(entry.getValue().str());
  return result;
}

static std::unique_ptr<plan::QuantityT> quantityOf(DictionaryAttr policy, StringRef key) {
  auto result = std::make_unique<plan::QuantityT>();
  auto fields = policy.getAs<DictionaryAttr>(key);
  if (!fields) return result;
  result->value = realOf(fields, "value");
  std::string unit = textOf(fields, "unit");
  if (unit == "steps")
    result->unit = plan::Unit::Steps;
  else if (unit == "epochs")
    result->unit = plan::Unit::Epochs;
  else if (unit == "samples")
    result->unit = plan::Unit::Samples;
  else if (unit == "milliseconds")
    result->unit = plan::Unit::Milliseconds;
  return result;
}

/// Calls `add` with each dictionary of a list.
template <class Add> static void eachOf(DictionaryAttr fields, StringRef key, Add add) {
  if (auto list = fields.getAs<ArrayAttr>(key))
    for (auto entry : list.getAsRange<DictionaryAttr>())
      add(entry);
}

/// The fields of a list, each in the buffer of its name behind a prefix.
static std::vector<std::unique_ptr<plan::FieldT>>
fieldsOf(DictionaryAttr data, StringRef key, StringRef prefix, const BufferIds &buffers) {
  std::vector<std::unique_ptr<plan::FieldT>> fields;
  eachOf(data, key, [&](DictionaryAttr entry) {
    auto field = std::make_unique<plan::FieldT>();
    field->name = textOf(entry, "name");
    Type type = entry.getAs<TypeAttr>("type").getValue();
    field->dtype = planType(cast<RankedTensorType>(type).getElementType());
    field->shape = planShape(type);
    field->buffer = buffers.lookup((prefix + field->name).str());
    fields.push_back(std::move(field));
  });
  return fields;
}

static std::unique_ptr<plan::DataSourceT> dataOf(DictionaryAttr fields, const BufferIds &buffers) {
  auto data = std::make_unique<plan::DataSourceT>();
  data->name = textOf(fields, "name");
  data->kind = textOf(fields, "kind");
  data->path = textOf(fields, "path");
  data->train_count = numberOf(fields, "train_count");
  data->validation_count = numberOf(fields, "validation_count");
  data->test_count = numberOf(fields, "test_count");
  data->classes = numberOf(fields, "classes");
  data->validation_path = textOf(fields, "validation_path");
  data->test_path = textOf(fields, "test_path");
  data->facts = textOf(fields, "facts");
  data->order = textOf(fields, "order");
  data->fitted_fields = textsOf(fields, "fitted_fields");
  data->fitted_hash = textOf(fields, "fitted_hash");
  bool isMapped = bool(fields.getAs<ArrayAttr>("mapped"));
  data->fields = fieldsOf(fields, "fields", isMapped ? "sample.in." : "batch.", buffers);
  data->mapped = fieldsOf(fields, "mapped", "sample.out.", buffers);
  eachOf(fields, "bounds", [&](DictionaryAttr entry) {
    auto bound = std::make_unique<plan::IdBoundT>();
    bound->field = textOf(entry, "field");
    bound->begin = entry.getAs<DenseI64ArrayAttr>("begin").asArrayRef().vec();
    bound->size = entry.getAs<DenseI64ArrayAttr>("size").asArrayRef().vec();
    bound->below = numberOf(entry, "below");
    bound->has_ignored = entry.contains("ignored");
    bound->ignored = numberOf(entry, "ignored");
    bound->what = textOf(entry, "what");
    data->bounds.push_back(std::move(bound));
  });
  if (auto files = fields.getAs<ArrayAttr>("files"))
    for (auto entry : files.getAsRange<DictionaryAttr>()) {
      auto file = std::make_unique<plan::DataFileT>();
      file->name = textOf(entry, "name");
      file->size_bytes = uint64_t(numberOf(entry, "size_bytes"));
      file->xxh3 = textOf(entry, "xxh3");
      data->files.push_back(std::move(file));
    }
  return data;
}

static std::vector<std::unique_ptr<plan::CommandTestT>> testsOf(DictionaryAttr fields) {
  std::vector<std::unique_ptr<plan::CommandTestT>> tests;
  eachOf(fields, "tests", [&](DictionaryAttr entry) {
    auto test = std::make_unique<plan::CommandTestT>();
    test->argument = textOf(entry, "argument");
    test->op = textOf(entry, "op");
    test->bound = realOf(entry, "bound");
    test->message = textOf(entry, "message");
    tests.push_back(std::move(test));
  });
  return tests;
}

static void addOptions(plan::PlanT &plan, DictionaryAttr policy, const BufferIds &buffers) {
  auto list = policy.getAs<ArrayAttr>("options");
  if (!list) return;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    auto option = std::make_unique<plan::OptionT>();
    option->name = textOf(entry, "name");
    option->doc = textOf(entry, "doc");
    option->dtype = planType(entry.getAs<TypeAttr>("type").getValue());
    option->value = realOf(entry, "value");
    option->kind = textOf(entry, "kind");
    option->text = textOf(entry, "text");
    option->run_time = flagOf(entry, "run_time");
    option->file = textOf(entry, "file");
    option->line = uint32_t(numberOf(entry, "line"));
    option->is_given = flagOf(entry, "is_given");
    option->tests = testsOf(entry);
    auto buffer = buffers.find("option." + option->name);
    if (option->run_time && buffer != buffers.end()) option->buffer = int32_t(buffer->second);
    plan.options.push_back(std::move(option));
  }
}

static void addGrades(plan::RecipeT &recipe, DictionaryAttr policy) {
  auto list = policy.getAs<ArrayAttr>("grades");
  if (!list) return;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    auto grade = std::make_unique<plan::GradeT>();
    grade->name = textOf(entry, "name");
    grade->is_metric = flagOf(entry, "is_metric");
    grade->grade = textOf(entry, "grade");
    grade->file = textOf(entry, "file");
    grade->line = uint32_t(numberOf(entry, "line"));
    grade->text = textOf(entry, "text");
    grade->layer = textOf(entry, "layer");
    recipe.grades.push_back(std::move(grade));
  }
}

static std::vector<std::unique_ptr<plan::OriginT>> originsOf(DictionaryAttr policy, StringRef key) {
  std::vector<std::unique_ptr<plan::OriginT>> origins;
  auto list = policy.getAs<ArrayAttr>(key);
  if (!list) return origins;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    auto origin = std::make_unique<plan::OriginT>();
    origin->name = textOf(entry, "name");
    origin->text = textOf(entry, "text");
    origin->file = textOf(entry, "file");
    origin->line = uint32_t(numberOf(entry, "line"));
    origins.push_back(std::move(origin));
  }
  return origins;
}

/// The sizes that a call decides; none if all are known.
static std::vector<std::unique_ptr<plan::OpenSizeT>> openShapeOf(DictionaryAttr result) {
  std::vector<std::unique_ptr<plan::OpenSizeT>> shape;
  auto sizes = result.getAs<ArrayAttr>("shape");
  if (!sizes) return shape;
  for (auto terms : sizes.getAsRange<ArrayAttr>()) {
    auto size = std::make_unique<plan::OpenSizeT>();
    for (auto entry : terms.getAsRange<DictionaryAttr>()) {
      auto term = std::make_unique<plan::SizeTermT>();
      term->factor = numberOf(entry, "factor");
      for (int64_t argument : entry.getAs<DenseI64ArrayAttr>("arguments").asArrayRef())
        term->arguments.push_back(uint32_t(argument));
      size->terms.push_back(std::move(term));
    }
    shape.push_back(std::move(size));
  }
  return shape;
}

static std::unique_ptr<plan::CommandT> commandOf(DictionaryAttr fields, const BufferIds &buffers) {
  auto command = std::make_unique<plan::CommandT>();
  command->name = textOf(fields, "name");
  command->doc = textOf(fields, "doc");
  command->program = textOf(fields, "program");
  eachOf(fields, "arguments", [&](DictionaryAttr entry) {
    auto argument = std::make_unique<plan::CommandArgumentT>();
    argument->name = textOf(entry, "name");
    argument->type = textOf(entry, "type");
    argument->is_required = flagOf(entry, "is_required");
    argument->by_default = textOf(entry, "by_default");
    argument->lower = numberOf(entry, "lower");
    argument->upper = numberOf(entry, "upper");
    auto buffer = buffers.find("argument." + command->name + "." + argument->name);
    if (buffer != buffers.end()) argument->buffer = int32_t(buffer->second);
    argument->tokens_max = numberOf(entry, "tokens_max");
    auto ids = buffers.find("argument." + command->name + "." + argument->name + ".ids");
    if (ids != buffers.end()) argument->ids = int32_t(ids->second);
    command->arguments.push_back(std::move(argument));
  });
  command->tests = testsOf(fields);
  eachOf(fields, "results", [&](DictionaryAttr entry) {
    auto result = std::make_unique<plan::CommandResultT>();
    result->name = textOf(entry, "name");
    result->type = textOf(entry, "type");
    result->buffer = buffers.lookup("command." + command->name + "." + result->name);
    result->shape = openShapeOf(entry);
    command->results.push_back(std::move(result));
  });
  return command;
}

void addRecipe(plan::PlanT &plan, ModuleOp module, const BufferIds &buffers) {
  auto policy = module->getAttrOfType<DictionaryAttr>("train.policy");
  if (!policy) return;
  addOptions(plan, policy, buffers);
  auto recipe = std::make_unique<plan::RecipeT>();
  recipe->name = textOf(policy, "name");
  recipe->batch = uint32_t(numberOf(policy, "batch"));
  std::string batchOption = textOf(policy, "batch_option");
  for (size_t i = 0; i < plan.options.size(); ++i)
    if (!batchOption.empty() && plan.options[i]->name == batchOption)
      recipe->batch_option = int32_t(i);
  recipe->micro = uint32_t(numberOf(policy, "micro"));
  recipe->eval_batch = uint32_t(numberOf(policy, "eval_batch"));
  recipe->coupled = flagOf(policy, "coupled");
  recipe->duration = quantityOf(policy, "duration");
  recipe->evaluate_every = quantityOf(policy, "evaluate_every");
  recipe->checkpoint_every = quantityOf(policy, "checkpoint_every");
  recipe->checkpoint_light = quantityOf(policy, "checkpoint_light");
  recipe->evaluate_batches = uint64_t(numberOf(policy, "evaluate_batches"));
  recipe->keep_best = textOf(policy, "keep_best");
  recipe->keeps_largest = flagOf(policy, "keeps_largest");
  recipe->patience = quantityOf(policy, "patience");
  recipe->checkpoint_keep = uint32_t(numberOf(policy, "checkpoint_keep"));
  recipe->checkpoint_to = textOf(policy, "checkpoint_to");
  recipe->seed = uint64_t(numberOf(policy, "seed"));
  recipe->skip_limit = uint32_t(numberOf(policy, "skip_limit"));
  recipe->loss_terms = textsOf(policy, "loss_terms");
  // Several terms are listed without their sum: the runtime adds them up itself.
  if (recipe->loss_terms.size() > 1 && recipe->loss_terms[0] == "loss")
    recipe->loss_terms.erase(recipe->loss_terms.begin());
  recipe->metrics = textsOf(policy, "metrics");
  addGrades(*recipe, policy);
  eachOf(policy, "updates", [&](DictionaryAttr entry) {
    auto update = std::make_unique<plan::UpdateT>();
    update->name = textOf(entry, "name");
    update->repeat = uint32_t(numberOf(entry, "repeat"));
    update->every = uint32_t(numberOf(entry, "every"));
    recipe->updates.push_back(std::move(update));
  });
  eachOf(policy, "commands",
         [&](DictionaryAttr entry) { recipe->commands.push_back(commandOf(entry, buffers)); });
  recipe->settings = originsOf(policy, "settings");
  recipe->parameters = originsOf(policy, "parameters");
  if (auto data = policy.getAs<DictionaryAttr>("data")) recipe->data = dataOf(data, buffers);
  plan.recipe = std::move(recipe);
}

std::vector<uint8_t> initialBytes(ModuleOp module, StringRef buffer) {
  auto policy = module->getAttrOfType<DictionaryAttr>("train.policy");
  auto fitted = policy ? policy.getAs<DictionaryAttr>("fitted") : DictionaryAttr();
  auto value = fitted ? fitted.getAs<DenseElementsAttr>(buffer) : DenseElementsAttr();
  if (!value) return {};
  ArrayRef<char> raw = value.getRawData();
  int64_t copies = value.isSplat() ? value.getNumElements() : 1;
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < copies; ++i)
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  return bytes;
}

static plan::Role roleOf(StringRef role) {
  if (role == "param") return plan::Role::Param;
  if (role == "moment") return plan::Role::Moment;
  return role == "buffer" ? plan::Role::Buffer : plan::Role::Scalar;
}

LogicalResult addState(plan::PlanT &plan, ModuleOp module, const BufferIds &buffers) {
  auto list = module->getAttrOfType<ArrayAttr>("dlm.state");
  if (!list) return success();
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    auto state = std::make_unique<plan::StateEntryT>();
    state->name = textOf(entry, "name");
    state->role = roleOf(textOf(entry, "role"));
    auto buffer = buffers.find(textOf(entry, "buffer"));
    if (buffer == buffers.end())
      return module.emitError() << "no program has the buffer of the state '" << state->name << "'";
    state->buffer = buffer->second;
    const plan::BufferT &place = *plan.buffers[buffer->second];
    state->dtype = place.dtype;
    int64_t elementBytes = place.dtype == plan::DType::I64 ? 8 : 4;
    state->offset = uint64_t(numberOf(entry, "offset") * elementBytes);
    if (auto shape = entry.getAs<DenseI64ArrayAttr>("shape"))
      state->shape = {shape.asArrayRef().begin(), shape.asArrayRef().end()};
    else if (auto sizes = entry.getAs<ArrayAttr>("shape"))
      for (auto size : sizes.getAsRange<IntegerAttr>())
        state->shape.push_back(size.getInt());
    plan.state.push_back(std::move(state));
  }
  return success();
}

void addReport(plan::PlanT &plan) {
  auto report = std::make_unique<plan::MemoryReportT>();
  for (const auto &arena : plan.arenas)
    if (!arena->per_thread) report->peak_bytes += arena->size_bytes;
  std::vector<const plan::BufferT *> order;
  for (const auto &buffer : plan.buffers)
    order.push_back(buffer.get());
  std::sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
    return std::tie(b->size_bytes, a->arena, a->offset, a->birth) <
           std::tie(a->size_bytes, b->arena, b->offset, b->birth);
  });
  order.resize(std::min(order.size(), ReportLineMax));
  for (const plan::BufferT *buffer : order) {
    auto line = std::make_unique<plan::MemoryLineT>();
    line->location = buffer->location;
    line->size_bytes = buffer->size_bytes;
    line->what = buffer->name.empty() ? "an intermediate value" : buffer->name;
    report->lines.push_back(std::move(line));
  }
  plan.report = std::move(report);
}

} // namespace dlm
