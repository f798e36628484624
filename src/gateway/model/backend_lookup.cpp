#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

std::optional<std::string> CachedBackendLookup::operator()(ListKind kind, std::string_view name) const {
  if (lookup_ != nullptr) return lookup_->backend_name_of(kind, name);
  const auto* self = service_->server_info();
  return self != nullptr ? std::optional(self->name) : std::nullopt;
}

std::optional<std::string> backend_name_of(const session::Service& service, ListKind kind, std::string_view name) {
  return CachedBackendLookup(service)(kind, name);
}

}  // namespace fairlead::gateway
