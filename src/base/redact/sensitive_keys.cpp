#include "base/redact/sensitive_keys.hpp"

#include <algorithm>
#include <array>

#include "base/redact/decoded_char.hpp"

namespace fairlead::redact {
namespace {

// Without '-' and '_'. Each also matches names that end in it after a '-', '_' or '.'.
constexpr auto default_names = std::to_array<std::string_view>({
    "apikey",
    "apitoken",
    "assertion",
    "authorization",
    "authtoken",
    "clientassertion",
    "codeverifier",
    "connectionstring",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "csrftoken",
    "devicecode",
    "dpop",
    "encryptionkey",
    "idtoken",
    "idtokenhint",
    "jwt",
    "loginhinttoken",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "proxyauthorization",
    "pwd",
    "refreshtoken",
    "requesttoken",
    "secret",
    "secretaccesskey",
    "secretkey",
    "securitytoken",
    "sessiontoken",
    "setcookie",
    "setcookie2",
    "signingkey",
    "subjecttoken",
    "actortoken",
    "token",
    "accesskey",
    "accesstoken",
    "usercode",
    "xamzsignature",
    "xgoogsignature",
});

// Sensitive also at the end of a camelCase name, such as dbPassword. Not "token": progressToken is not secret.
constexpr auto secret_suffixes = std::to_array<std::string_view>({
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "privatekey",
    "secretkey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "bearertoken",
});

// Too common to redact everywhere; in a query they are codes and signatures of OAuth and of signed URLs.
constexpr auto query_names = std::to_array<std::string_view>({"code", "sig", "signature"});

bool is_separator(char c) {
  return c == '-' || c == '_' || c == '.';
}

std::string without_separators(std::string_view name) {
  std::string result;
  std::ranges::copy_if(name, std::back_inserter(result), [](char c) { return !is_separator(c); });
  return result;
}

}  // namespace

SensitiveKeys::SensitiveKeys() : names_(default_names.begin(), default_names.end()) {}

void SensitiveKeys::add(std::string_view key) {
  std::string lowered(key);
  std::ranges::transform(lowered, lowered.begin(), lower);
  names_.insert(without_separators(lowered));
}

bool SensitiveKeys::contains(std::string_view lowered, char separator) const {
  const auto whole = without_separators(lowered);
  if (std::ranges::any_of(secret_suffixes, [&](std::string_view ending) { return whole.ends_with(ending); }))
    return true;
  if (separator == '=' && std::ranges::find(query_names, whole) != query_names.end()) return true;
  for (std::size_t start = 0; start < lowered.size(); ++start) {
    if (start > 0 && !is_separator(lowered[start - 1])) continue;
    if (names_.contains(without_separators(lowered.substr(start)))) return true;
  }
  return false;
}

}  // namespace fairlead::redact
