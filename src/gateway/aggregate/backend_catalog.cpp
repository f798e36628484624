#include "gateway/aggregate/backend_catalog.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::gateway {

BackendCatalog::BackendCatalog(const EventLoop& loop, TaskScope& tasks, BackendSlot slot,
                               const CachedListOptions& options)
    : slot_(std::move(slot)), backend_(std::make_shared<BackendWithServerUris>(slot_.backend)) {
  for (const auto kind : all_lists) {
    lists_[std::to_underlying(kind)] = std::make_shared<CachedList>(loop, tasks, backend_, kind, slot_.lazy, options);
  }
}

void BackendCatalog::set_among_several(bool value) {
  if (!backend_->set_among_several(value)) return;
  // Lists of an earlier run are fetched again anyway, when the server runs.
  for (const auto& list : lists_) {
    if (list->last() && !list->restored()) list->refresh();
  }
}

void BackendCatalog::retire() {
  for (const auto& list : lists_) list->on_fetched({});
}

const protocol::ServerCapabilities* BackendCatalog::capabilities() const {
  if (const auto* known = backend().last_description()) return &known->capabilities;
  return restored_ ? &restored_->capabilities : nullptr;
}

std::string BackendCatalog::instructions() const {
  if (const auto* known = backend().last_description()) return known->instructions.value_or("");
  return restored_ ? restored_->instructions : "";
}

std::optional<bool> BackendCatalog::offers(ListKind kind) const {
  const auto* can = capabilities();
  return can ? std::optional(is_offered(kind, *can)) : std::nullopt;
}

std::string BackendCatalog::problem() const {
  for (const auto& list : lists_) {
    if (!list->problem().empty()) return list->problem();
  }
  return {};
}

bool BackendCatalog::overdue() const {
  return std::ranges::any_of(lists_, [](const auto& list) { return list->overdue(); });
}

const std::string* BackendCatalog::expected(ListKind kind, std::string_view name) const {
  if (list(kind).last()) return nullptr;
  const auto& names = expected(kind);
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &found->second;
}

bool BackendCatalog::on_notification(std::string_view method) {
  bool is_list_change = false;
  for (const auto kind : all_lists) {
    if (list_info(kind).changed_method != method) continue;
    is_list_change = true;
    list(kind).on_list_changed();
  }
  return is_list_change;
}

void BackendCatalog::on_call_answered() {
  for (const auto& list : lists_) {
    if (list->restored() && list->due()) list->refresh();
  }
}

SavedBackend BackendCatalog::saved() const {
  SavedBackend saved{.name = name(), .fingerprint = slot_.fingerprint};
  if (const auto* can = capabilities()) saved.capabilities = *can;
  saved.instructions = instructions();
  for (const auto kind : all_lists) {
    if (const auto& last = list(kind).last()) saved.lists[std::to_underlying(kind)] = *last;
  }
  return saved;
}

void BackendCatalog::restore(SavedBackend saved) {
  for (const auto kind : all_lists) {
    if (auto& saved_list = saved.lists[std::to_underlying(kind)]) list(kind).restore(std::move(*saved_list));
  }
  restored_ = std::move(saved);
}

}  // namespace fairlead::gateway
