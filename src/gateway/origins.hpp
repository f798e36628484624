#pragma once

#include <fairlead/session/service.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/merge/list_kind.hpp"

namespace fairlead::gateway {

/// A service of the gateway's that knows which server something is of.
class Origins {
 public:
  virtual ~Origins() = default;

  /// The server's name; nothing where nobody has it, or that is not known yet: the lists tell.
  virtual std::optional<std::string> origin_of(ListKind kind, std::string_view name) const = 0;
};

/// The same of any service; a server that is no part of the gateway has the name that it gives itself.
std::optional<std::string> origin_of(const session::Service& service, ListKind kind, std::string_view name);

/// The same again and again: what kind of service it is, is found out once.
class OriginsOf {
 public:
  OriginsOf() = default;
  /// `service` outlives it.
  explicit OriginsOf(const session::Service& service)
      : service_(&service), origins_(dynamic_cast<const Origins*>(&service)) {}

  std::optional<std::string> operator()(ListKind kind, std::string_view name) const;

 private:
  const session::Service* service_ = nullptr;
  const Origins* origins_ = nullptr;  // Null where it is none.
};

}  // namespace fairlead::gateway
