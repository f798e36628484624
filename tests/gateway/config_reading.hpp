#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gateway/config/load.hpp"

namespace fairlead::gateway::test {

using Variables = std::map<std::string, std::string>;

/// The world as a configuration sees it, with these variables and files only.
inline ReadOptions world(Variables variables = {}, std::map<std::string, std::string> files = {}) {
  ReadOptions options;
  options.environment = [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  options.read_file = [files = std::move(files)](const std::string& path) -> Result<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return fail(ErrorKind::invalid, "cannot be read: No such file or directory");
    return found->second;
  };
  return options;
}

inline Result<Loaded> read_text(const std::string& text, const ReadOptions& options = world(),
                                const std::string& name = "chain.yaml") {
  const std::vector<Document> documents{{name, text}};
  return read_config(documents, options);
}

/// The first server of a text that is right.
inline ServerConfig server_of(const std::string& text, const ReadOptions& options = world()) {
  const auto loaded = read_text(text, options);
  if (!loaded) return {.name = loaded.error().message};
  return loaded->config.servers.empty() ? ServerConfig{.name = "no server"} : loaded->config.servers.front();
}

inline std::string error_of(const std::string& text, const ReadOptions& options = world(),
                            const std::string& name = "chain.yaml") {
  const auto loaded = read_text(text, options, name);
  return loaded ? "no error" : loaded.error().message;
}

}  // namespace fairlead::gateway::test
