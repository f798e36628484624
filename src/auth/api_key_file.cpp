#include <cerrno>
#include <cstring>
#include <fairlead/auth/api_keys.hpp>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "crypto/digest.hpp"

namespace fairlead::auth {
namespace {

/// Returns the error of a line; nothing if it is empty or a key, which is added to `into`.
std::optional<std::string> read_line(const std::string& line, std::vector<ApiKey>& into) {
  std::istringstream words(line);
  ApiKey key;
  if (!(words >> key.principal) || key.principal.starts_with('#')) return std::nullopt;
  if (!(words >> key.sha256)) return " is not a name and a SHA-256 in hex, followed by scopes";
  // Do not repeat the word: it may be the secret itself.
  if (!crypto::is_sha256_hex(key.sha256))
    return ": the second word is not a SHA-256 in 64 hex digits; put the hash of the secret";
  for (std::string scope; words >> scope;) key.scopes.push_back(std::move(scope));
  if (!check_scopes(key.scopes)) return ": the words after the hash are not scopes";
  into.push_back(std::move(key));
  return std::nullopt;
}

}  // namespace

Result<std::vector<ApiKey>> read_api_keys(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail(ErrorKind::invalid, std::string("cannot be read: ") + std::strerror(errno));
  std::vector<ApiKey> keys;
  std::string wrong;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const auto flaw = read_line(line, keys);
    if (flaw) wrong += (wrong.empty() ? "" : "; ") + ("line " + std::to_string(number)) + *flaw;
  }
  if (!wrong.empty()) return fail(ErrorKind::invalid, std::move(wrong));
  return keys;
}

}  // namespace fairlead::auth
