#pragma once

#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// A command about the configured servers: what all of them take.
class ServersCommand {
 public:
  /// See Options.
  ServersCommand(std::string usage, std::string summary, std::string examples);

  Options& options() { return options_; }
  bool json() const { return json_; }
  Duration deadline() const { return deadline_; }
  std::vector<std::string>& files() { return files_; }

  /// For commands that name their files with `-c`.
  void add_files_option();

  /// The exit code, if the help was shown or something is wrong.
  std::optional<int> parse(const std::vector<std::string>& words, const std::vector<std::string>& child);

  /// The configuration, or nothing once the user knows what is wrong with it.
  std::optional<gateway::Loaded> load() const;

  int refuse(std::string_view why) const;
  int unreachable(std::string_view server, std::string_view why) const;

 private:
  std::string name_;
  Options options_;
  std::vector<std::string> files_;
  std::string timeout_ = "10s";
  Duration deadline_ = std::chrono::seconds{10};
  bool json_ = false;
};

}  // namespace fairlead::cli
