#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

struct RedactOptions {
  std::vector<std::string> keys = {};     ///< Names whose values are secret, besides those that everybody knows.
  std::vector<std::string> secrets = {};  ///< Values to hide wherever they stand, of four characters or more.
  bool requests = false;                  ///< In what clients say too.
};

/// Hides secrets in what comes from the server: results, errors, questions, notices. Lists and introductions stay as
/// they are: the name of an argument is no secret.
Result<std::unique_ptr<Middleware>> redact(RedactOptions options);

}  // namespace fairlead::gateway
