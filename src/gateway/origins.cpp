#include "gateway/origins.hpp"

namespace fairlead::gateway {

std::optional<std::string> origin_of(const session::Service& service, ListKind kind, std::string_view name) {
  if (const auto* origins = dynamic_cast<const Origins*>(&service)) return origins->origin_of(kind, name);
  const auto* self = service.self();
  return self != nullptr ? std::optional(self->name) : std::nullopt;
}

}  // namespace fairlead::gateway
