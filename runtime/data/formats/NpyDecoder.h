// The elements of a .npy file as a program has them. A number that does not fit is a failure that
// names its sample; so is one that is not finite.
#pragma once

#include "runtime/data/formats/NpyHeader.h"

#include <string>

namespace dlm {

class NpyDecoder {
public:
  /// `file` is how messages call it; `field` is the array's name.
  NpyDecoder(std::string file, const std::string &field, NpyHeader header);

  const NpyHeader &header() const { return head; }
  DType dtype() const { return isLabel ? DType::I32 : dtypeOfNpy(head.type); }
  int64_t count() const { return head.shape[0]; }
  int64_t elementsOfSample() const { return head.elementCount() / count(); }

  /// Whether it holds the classes of the samples: whole numbers by the name `label`. They are i32,
  /// from 0 on, whatever they are in the file.
  bool holdsLabels() const { return isLabel; }

  /// Labels from `limit` on are failures.
  void limitClasses(int64_t limit) { classes = limit; }

  /// Makes elements of `dtype()` of the bytes of `elements` elements, the first of which is element
  /// `first` of the array. `largest` becomes the largest label, if that is larger.
  Status decode(const uint8_t *bytes, int64_t first, int64_t elements, void *out,
                int64_t &largest) const;

private:
  template <class From, class To>
  Status convert(const uint8_t *bytes, int64_t first, int64_t elements, void *out,
                 int64_t &largest) const;
  Status misfit(int64_t element, const std::string &what) const;

  std::string file;
  NpyHeader head;
  bool isLabel;
  int64_t classes = int64_t(1) << 31;
};

} // namespace dlm
