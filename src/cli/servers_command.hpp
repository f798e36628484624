#pragma once

#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// Base of the commands about configured servers, with their common options.
class ServersCommand {
 public:
  /// For the parameters see Options.
  ServersCommand(std::string usage, std::string summary, std::string examples);

  Options& options() { return options_; }
  bool json() const { return json_; }
  Duration deadline() const { return deadline_; }
  std::vector<std::string>& files() { return files_; }

  /// Adds `-c` for configuration files.
  void add_files_option();

  /// Returns an exit code if the help was shown or the arguments are wrong; otherwise nothing.
  std::optional<int> parse(const std::vector<std::string>& own, const std::vector<std::string>& server_command);

  /// Loads the configuration. On failure prints the error and returns nothing.
  std::optional<gateway::LoadedConfig> load() const;

  int usage_error(std::string_view why) const;
  int report_unreachable(std::string_view server, std::string_view why) const;

 private:
  std::string name_;
  Options options_;
  std::vector<std::string> files_;
  std::string timeout_ = "10s";
  Duration deadline_ = std::chrono::seconds{10};
  bool json_ = false;
};

}  // namespace fairlead::cli
