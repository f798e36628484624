#pragma once

#include <fairlead/http/handler.hpp>
#include <memory>

#include "gateway/config/config.hpp"
#include "gateway/upstream/user_verification.hpp"

namespace fairlead::gateway {

/// Signs users in at an issuer of `listen.oauth`, with a token for this gateway itself, and lets `check` say who they
/// are: exactly as if the user called with this token. Nothing of it is kept.
VerifyUser verify_by_sign_in(const GatewayConfig& config, std::shared_ptr<const http::AccessCheck> check);

}  // namespace fairlead::gateway
