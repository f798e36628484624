#include <algorithm>
#include <array>

#include "protocol/revision/revision_definitions.hpp"

namespace fairlead::protocol {

std::span<const Revision> revisions() {
  using namespace revision_definitions;
  static const std::array table = {r2024_11_05(), r2025_03_26(), r2025_06_18(), r2025_11_25(), r2026_07_28()};
  return table;
}

const Revision* find_revision(std::string_view name) {
  // The newest first: most peers use it.
  const auto all = revisions();
  const auto found = std::ranges::find(all.rbegin(), all.rend(), name, &Revision::name);
  return found == all.rend() ? nullptr : &*found;
}

const Revision& newest() {
  return revisions().back();
}

const Revision& newest_handshake() {
  static const Revision& found = [&]() -> const Revision& {
    const Revision* latest = nullptr;
    for (const auto& revision : revisions()) {
      if (revision.lifecycle == Lifecycle::handshake) latest = &revision;
    }
    return *latest;
  }();
  return found;
}

const Revision& assumed_over_http() {
  static const Revision& found = *std::ranges::find_if(revisions(), &Revision::streamable_http);
  return found;
}

const Revision& negotiate(std::string_view requested) {
  const Revision* revision = find_revision(requested);
  return revision && revision->lifecycle == Lifecycle::handshake ? *revision : newest_handshake();
}

}  // namespace fairlead::protocol
