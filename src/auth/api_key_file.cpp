#include <cerrno>
#include <cstring>
#include <fairlead/auth/api_keys.hpp>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace fairlead::auth {
namespace {

bool is_sha256(std::string_view word) {
  constexpr std::size_t digits = 64;
  return word.size() == digits && word.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// Returns the error of a line; nothing if it is empty or a key, which is added to `into`.
std::optional<std::string> read_line(const std::string& line, std::vector<ApiKey>& into) {
  std::istringstream words(line);
  ApiKey key;
  if (!(words >> key.principal) || key.principal.starts_with('#')) return std::nullopt;
  if (!(words >> key.sha256)) return " is not a name, a SHA-256 in hex and scopes";
  // Do not repeat the word: it may be the secret itself.
  if (!is_sha256(key.sha256)) return ": the second word is not a SHA-256 in 64 hex digits; put the hash of the secret";
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
