#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fairlead::cli {

/// The options and positional arguments of a command, and its help page. Wraps CLI11.
///
/// Targets must outlive `parse` and keep their value unless the option is given.
class Options {
 public:
  /// `usage` follows "fairlead " on the help page. Its first word is the command's name, unless it starts with `[`.
  Options(std::string usage, std::string summary, std::string examples = {});
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options();

  void flag(const std::string& names, bool& target, const std::string& help);
  void text(const std::string& names, std::string& target, const std::string& help, const std::string& placeholder);
  void choice(const std::string& names, std::string& target, const std::string& help,
              const std::vector<std::string>& choices);
  /// An option that may be given several times, with one value each.
  void repeatable(const std::string& names, std::vector<std::string>& target, const std::string& help,
                  const std::string& placeholder);
  /// An option with an optional value: alone it means `true`. A value needs `=`, so that the next argument stays
  /// separate.
  void optional_value(const std::string& names, std::string& target, const std::string& help);

  void positional(const std::string& name, std::string& target, const std::string& help, bool required);
  /// An optional positional argument with a fixed set of values.
  void positional_choice(const std::string& name, std::string& target, const std::string& help,
                         const std::vector<std::string>& choices);
  void positionals(const std::string& name, std::vector<std::string>& target, const std::string& help);

  /// Positions of arguments on a command line that is not parsed yet.
  struct Layout {
    std::vector<std::size_t> positionals = {};  ///< Indexes of the positional arguments.
    std::vector<std::string> values = {};       ///< Values of the requested option.
    bool wants_help = false;
  };
  /// `option` is the name of an option whose values are returned.
  Layout layout(const std::vector<std::string>& arguments, const std::string& option) const;

  /// Returns an exit code if the help was shown or the arguments are wrong (which is printed); otherwise nothing.
  std::optional<int> parse(std::vector<std::string> arguments);

 private:
  std::string usage_;
  std::string program_;  // For messages, such as "fairlead serve".
  std::unique_ptr<CLI::App> app_;
};

}  // namespace fairlead::cli
