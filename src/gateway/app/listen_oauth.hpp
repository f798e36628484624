#pragma once

#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/base/log.hpp>
#include <memory>
#include <utility>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// An access check that a reload replaces. Used on one loop.
class ReplaceableCheck final : public http::AccessCheck {
 public:
  explicit ReplaceableCheck(std::shared_ptr<const http::AccessCheck> check) : check_(std::move(check)) {}

  /// Requests that are being checked finish with the old one.
  void replace(std::shared_ptr<const http::AccessCheck> check) { check_ = std::move(check); }

  Task<std::optional<http::Response>> refuse(http::Request& request) const override { return check_->refuse(request); }
  std::optional<http::Response> public_document(const http::Request& request) const override {
    return check_->public_document(request);
  }

 private:
  std::shared_ptr<const http::AccessCheck> check_;
};

/// The check of `listen.oauth`: each endpoint, `/mcp` and `/s/<name>/mcp`, is a resource of its own. `log` outlives it.
Result<std::shared_ptr<const auth::OAuthCheck>> listen_oauth(const GatewayConfig& config, LogSink& log);

/// The options of that check, without keys.
auth::OAuthCheckOptions oauth_options(const GatewayConfig& config);

}  // namespace fairlead::gateway
