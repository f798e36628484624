#include "base/redact/secret_keys.hpp"

#include <algorithm>
#include <array>

#include "base/redact/text_unit.hpp"

namespace fairlead::redact {
namespace {

// Without '-' and '_'. Each stands for itself and for names that end in it after a '-', '_' or '.'.
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

// Telling even at the end of a camelCase name, such as dbPassword. Not "token": a progressToken is no secret.
constexpr auto telling_endings = std::to_array<std::string_view>({
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

// Too common to hide everywhere; in a query they are the codes and signatures of OAuth and of signed links.
constexpr auto query_names = std::to_array<std::string_view>({"code", "sig", "signature"});

bool joins_words(char c) {
  return c == '-' || c == '_' || c == '.';
}

std::string without_joints(std::string_view name) {
  std::string result;
  std::ranges::copy_if(name, std::back_inserter(result), [](char c) { return !joins_words(c); });
  return result;
}

}  // namespace

SecretKeys::SecretKeys() : names_(default_names.begin(), default_names.end()) {}

void SecretKeys::add(std::string_view key) {
  std::string lowered(key);
  std::ranges::transform(lowered, lowered.begin(), lower);
  names_.insert(without_joints(lowered));
}

bool SecretKeys::contains(std::string_view lowered, char separator) const {
  const auto whole = without_joints(lowered);
  if (std::ranges::any_of(telling_endings, [&](std::string_view ending) { return whole.ends_with(ending); }))
    return true;
  if (separator == '=' && std::ranges::find(query_names, whole) != query_names.end()) return true;
  for (std::size_t start = 0; start < lowered.size(); ++start) {
    if (start > 0 && !joins_words(lowered[start - 1])) continue;
    if (names_.contains(without_joints(lowered.substr(start)))) return true;
  }
  return false;
}

}  // namespace fairlead::redact
