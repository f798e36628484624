#include "gateway/origins.hpp"

namespace fairlead::gateway {

std::optional<std::string> OriginsOf::operator()(ListKind kind, std::string_view name) const {
  if (origins_ != nullptr) return origins_->origin_of(kind, name);
  const auto* self = service_->self();
  return self != nullptr ? std::optional(self->name) : std::nullopt;
}

std::optional<std::string> origin_of(const session::Service& service, ListKind kind, std::string_view name) {
  return OriginsOf(service)(kind, name);
}

}  // namespace fairlead::gateway
