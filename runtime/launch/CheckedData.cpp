#include "runtime/launch/CheckedData.h"

namespace dlm {

std::vector<IdBound> idBoundsOf(const plan::Plan &plan) {
  std::vector<IdBound> bounds;
  const plan::DataSource *data = plan.recipe() ? plan.recipe()->data() : nullptr;
  for (uint32_t i = 0; data && data->bounds() && i < data->bounds()->size(); ++i) {
    plan::IdBoundT entry;
    data->bounds()->Get(i)->UnPackTo(&entry);
    IdBound bound{entry.field, entry.begin, entry.size, entry.below, {}, entry.what};
    if (entry.has_ignored) bound.ignored = entry.ignored;
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

Expected<std::unique_ptr<DataSource>> checkData(std::unique_ptr<DataSource> source,
                                                const plan::Plan &plan, const DataSpec &spec) {
  const plan::DataSource *data = plan.recipe() ? plan.recipe()->data() : nullptr;
  std::vector<FieldSpec> fields = spec.fields;
  bool isMapped = data && data->mapped() && data->mapped()->size() > 0;
  if (isMapped) fields.clear();
  for (uint32_t i = 0; isMapped && i < data->mapped()->size(); ++i) {
    plan::FieldT field;
    data->mapped()->Get(i)->UnPackTo(&field);
    fields.push_back({field.name, static_cast<DType>(uint8_t(field.dtype)), field.shape});
  }
  return makeCheckedSource(std::move(source), spec, fields, idBoundsOf(plan));
}

Expected<std::unique_ptr<Dataset>> checkRows(const Dataset &rows, const plan::Plan &plan,
                                             std::function<std::string(int64_t)> origin,
                                             const std::atomic<int> &stop) {
  Expected<IdChecker> checker = IdChecker::make(rows.fields(), idBoundsOf(plan));
  if (!checker) return checker.status();
  auto checked = std::make_unique<CheckedDataset>(rows, checker.take(), std::move(origin));
  DLM_TRY(checked->checkAll(&stop));
  return std::unique_ptr<Dataset>(std::move(checked));
}

} // namespace dlm
