#include "gateway/merge/catalogue.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::gateway {

Catalogue::Catalogue(const Loop& loop, TaskScope& tasks, Seat seat, const ListingOptions& options)
    : seat_(std::move(seat)) {
  for (const auto kind : all_lists) {
    lists_[std::to_underlying(kind)] = std::make_shared<Listing>(loop, tasks, seat_.member, kind, seat_.lazy, options);
  }
}

void Catalogue::retire() {
  for (const auto& list : lists_) list->on_landing({});
}

const protocol::ServerCapabilities* Catalogue::capabilities() const {
  if (const auto* known = member().known()) return &known->capabilities;
  return restored_ ? &restored_->capabilities : nullptr;
}

std::string Catalogue::instructions() const {
  if (const auto* known = member().known()) return known->instructions.value_or("");
  return restored_ ? restored_->instructions : "";
}

std::optional<bool> Catalogue::offers(ListKind kind) const {
  const auto* can = capabilities();
  return can ? std::optional(is_offered(kind, *can)) : std::nullopt;
}

std::string Catalogue::trouble() const {
  for (const auto& list : lists_) {
    if (!list->trouble().empty()) return list->trouble();
  }
  return {};
}

bool Catalogue::late() const {
  return std::ranges::any_of(lists_, [](const auto& list) { return list->late(); });
}

const std::string* Catalogue::expected(ListKind kind, std::string_view name) const {
  if (list(kind).last()) return nullptr;
  const auto& names = expected(kind);
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &found->second;
}

bool Catalogue::hear(std::string_view notice) {
  bool heard = false;
  for (const auto kind : all_lists) {
    if (form_of(kind).notice != notice) continue;
    heard = true;
    list(kind).heard_of_change();
  }
  return heard;
}

void Catalogue::used() {
  for (const auto& list : lists_) {
    if (list->restored() && list->due()) list->refresh();
  }
}

SavedMember Catalogue::saved() const {
  SavedMember saved{.name = name(), .fingerprint = seat_.fingerprint};
  if (const auto* can = capabilities()) saved.capabilities = *can;
  saved.instructions = instructions();
  for (const auto kind : all_lists) {
    if (const auto& last = list(kind).last()) saved.lists[std::to_underlying(kind)] = *last;
  }
  return saved;
}

void Catalogue::restore(SavedMember saved) {
  for (const auto kind : all_lists) {
    if (auto& list_of_old = saved.lists[std::to_underlying(kind)]) list(kind).restore(std::move(*list_of_old));
  }
  restored_ = std::move(saved);
}

}  // namespace fairlead::gateway
