#include <fairlead/auth/keyring.hpp>
#include <fstream>
#include <sstream>
#include <utility>

namespace fairlead::auth {

Result<std::vector<Key>> read_keys(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail(ErrorKind::invalid, "cannot be read");
  std::vector<Key> keys;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream words(line);
    Key key;
    if (!(words >> key.principal)) continue;
    std::string more;
    if (!(words >> key.sha256) || words >> more) {
      return fail(ErrorKind::invalid, "line " + std::to_string(number) + " is not a name and a SHA-256 in hex");
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace fairlead::auth
