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

}  // namespace fairlead::gateway
