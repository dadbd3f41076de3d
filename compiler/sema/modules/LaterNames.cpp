// A name is taken out of its list when it is implemented; at present there is none.
#include "compiler/sema/modules/LaterNames.h"

#include <map>
#include <set>

namespace dlm::sema {

bool isLaterName(const std::string &module, const std::string &name) {
  static const std::map<std::string, std::set<std::string>> names = {};
  auto found = names.find(module);
  return found != names.end() && found->second.count(name) != 0;
}

} // namespace dlm::sema
