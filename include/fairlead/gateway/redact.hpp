#pragma once

#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct RedactOptions {
  std::vector<std::string> keys = {};     ///< Additional member names whose values are secret.
  std::vector<std::string> secrets = {};  ///< Values to redact anywhere, of at least four characters.
  bool requests = false;                  ///< Also redact requests of clients.
};

/// Redacts secrets in results, errors, requests and notifications of the server. Lists and initialize results are not
/// changed.
Result<std::unique_ptr<Middleware>> redact(RedactOptions options);

}  // namespace fairlead::gateway
