#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace fairlead::cli {

/// The arguments after a command's name.
struct Args {
  std::vector<std::string> own = {};             ///< Up to the first `--`.
  std::vector<std::string> server_command = {};  ///< After it: the command line of a server to start.
};

struct CommandSpec;

/// The options and positional arguments of a command, and its help page. Wraps CLI11.
///
/// Targets must outlive `parse` and keep their value unless the option is given.
class Options : NonCopyable {
 public:
  Options();
  ~Options();

  /// `usage` follows "fairlead " on the help page. Its first word is the command's name, unless it starts with `[`.
  void describe(std::string usage, std::string description, std::string examples = {});

  void flag(const std::string& names, bool& target, const std::string& help);
  void text(const std::string& names, std::string& target, const std::string& help, const std::string& placeholder);
  /// An option, or an optional positional argument if `names` has no dash, with a fixed set of values.
  void choice(const std::string& names, std::string& target, const std::string& help,
              const std::vector<std::string>& choices);
  /// An option that may be given several times, with one value each.
  void repeatable(const std::string& names, std::vector<std::string>& target, const std::string& help,
                  const std::string& placeholder);
  /// An option with an optional value: alone it means `true`. A value needs `=`, so that the next argument stays
  /// separate.
  void optional_value(const std::string& names, std::string& target, const std::string& help);

  void positional(const std::string& name, std::string& target, const std::string& help, bool required);
  void positionals(const std::string& name, std::vector<std::string>& target, const std::string& help);
  /// The arguments after `--`.
  void server_command(std::vector<std::string>& target) { server_command_ = &target; }
  /// Makes arguments after `--` a usage error: the command "takes no server command after --".
  void no_server_command(std::string why = "takes no server command after --") { no_server_command_ = std::move(why); }

  /// Calls `take` before anything is parsed. It removes arguments that are not options, such as a server's name. An
  /// exit code ends the command.
  void before_parsing(std::function<std::optional<int>(Args&)> take) { take_ = std::move(take); }

  /// Calls `check` when everything is parsed. An exit code ends the command.
  void after_parsing(std::function<std::optional<int>()> check) { check_ = std::move(check); }

  /// The command's name, from the usage.
  const std::string& command() const { return command_; }
  /// What was declared; without the command's name and summary.
  CommandSpec spec() const;

  /// Positions of arguments on a command line that is not parsed yet.
  struct Layout {
    std::vector<std::size_t> positionals = {};  ///< Indexes of the positional arguments.
    std::vector<std::string> values = {};       ///< Values of the requested option.
    bool wants_help = false;
  };
  /// `option` is the name of an option whose values are returned.
  Layout layout(const std::vector<std::string>& arguments, const std::string& option) const;

  /// Returns an exit code if the help was shown or the arguments are wrong (which is printed); otherwise nothing.
  std::optional<int> parse(Args args);

 private:
  std::string usage_, command_;
  std::unique_ptr<CLI::App> app_;
  std::vector<std::string>* server_command_ = nullptr;
  std::string no_server_command_;
  std::function<std::optional<int>(Args&)> take_;
  std::function<std::optional<int>()> check_;
};

}  // namespace fairlead::cli
