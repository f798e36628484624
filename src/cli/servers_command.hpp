#pragma once

#include <fairlead/base/clock.hpp>

#include "cli/options.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// Base of the options of commands about configured servers.
class ServersCommand {
 public:
  /// Adds `-c` for configuration files.
  void add_files_option(Options& options);
  /// Adds the options that all these commands have.
  void add_options(Options& options);

  bool json() const { return json_; }
  Duration deadline() const { return deadline_; }
  std::vector<std::string>& files() { return files_; }

  /// Loads the configuration. On failure prints the error and returns nothing.
  std::optional<gateway::LoadedConfig> load() const;

  int usage_error(std::string_view why) const;
  int report_unreachable(std::string_view server, std::string_view why) const;

 private:
  std::optional<int> read_timeout();

  std::string name_;  // Of the command.
  std::vector<std::string> files_;
  std::string timeout_ = "10s";
  Duration deadline_ = std::chrono::seconds{10};
  bool json_ = false;
};

}  // namespace fairlead::cli
