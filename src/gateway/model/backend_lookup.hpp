#pragma once

#include <fairlead/session/service.hpp>

#include "gateway/model/list_kind.hpp"

namespace fairlead::gateway {

/// Implemented by services of the gateway that know which server offers an item.
class BackendLookup {
 public:
  virtual ~BackendLookup() = default;

  /// The name of the server that offers the item; nothing if no server does, or if its list is not known yet.
  virtual std::optional<std::string> backend_name_of(ListKind kind, std::string_view name) const = 0;

  /// Whether the server that offers the item may send requests during a call. True if that is not known yet.
  virtual bool may_send_requests(ListKind, std::string_view) const { return true; }

  /// Whether a server offers the extension. True if that is not known yet.
  virtual bool offers_extension(std::string_view /*id*/) const { return true; }
};

/// Works for any service: one that does not implement BackendLookup has the name of its server_info().
std::optional<std::string> backend_name_of(const session::Service& service, ListKind kind, std::string_view name);

/// Caches the `dynamic_cast` of `backend_name_of`.
class CachedBackendLookup {
 public:
  CachedBackendLookup() = default;
  /// `service` outlives it.
  explicit CachedBackendLookup(const session::Service& service)
      : service_(&service), lookup_(dynamic_cast<const BackendLookup*>(&service)) {}

  std::optional<std::string> operator()(ListKind kind, std::string_view name) const;
  bool may_send_requests(ListKind kind, std::string_view name) const {
    return lookup_ == nullptr || lookup_->may_send_requests(kind, name);
  }
  bool offers_extension(std::string_view id) const { return lookup_ == nullptr || lookup_->offers_extension(id); }

 private:
  const session::Service* service_ = nullptr;
  const BackendLookup* lookup_ = nullptr;  // Null if the service does not implement it.
};

}  // namespace fairlead::gateway
