#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::test {

/// Location of the official JSON Schema test suite on Debian.
struct SchemaSuite {
  std::filesystem::path root;  ///< Contains `tests` and `remotes`.
  std::string_view package;
};

/// The newer package: 2020-12 and draft-07.
inline const SchemaSuite modern_schema_suite{"/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance",
                                             "libtest-json-schema-acceptance-perl"};
/// The older package: only draft-07 is used.
inline const SchemaSuite old_schema_suite{"/usr/share/json-schema-test-suite", "json-schema-test-suite"};

inline std::optional<std::string> file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Documents that the suite expects at http://localhost:1234/, read from its `remotes` folder.
inline std::optional<std::string> suite_remote(const SchemaSuite& suite, std::string_view uri) {
  constexpr std::string_view server = "http://localhost:1234/";
  if (!uri.starts_with(server)) return std::nullopt;
  return file_text(suite.root / "remotes" / std::string(uri.substr(server.size())));
}

}  // namespace fairlead::test
