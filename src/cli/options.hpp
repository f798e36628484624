#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fairlead::cli {

/// What a command takes besides its server, and its help page.
///
/// The targets outlive the parse; each keeps its value unless the user says otherwise.
class Options {
 public:
  /// `usage` goes behind "fairlead "; its first word is the command, unless it begins with a bracket.
  Options(std::string usage, std::string summary, std::string examples = {});
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options();

  void flag(const std::string& names, bool& target, const std::string& help);
  void text(const std::string& names, std::string& target, const std::string& help, const std::string& placeholder);
  void choice(const std::string& names, std::string& target, const std::string& help,
              const std::vector<std::string>& choices);
  /// May be given several times.
  void list(const std::string& names, std::vector<std::string>& target, const std::string& help,
            const std::string& placeholder);
  /// Alone it means `true`; a value follows behind `=` only, so that it takes no word which stands for itself.
  void toggle(const std::string& names, std::string& target, const std::string& help);

  void word(const std::string& name, std::string& target, const std::string& help, bool required);
  /// An optional word that is one of a few.
  void word_of(const std::string& name, std::string& target, const std::string& help,
               const std::vector<std::string>& choices);
  void words(const std::string& name, std::vector<std::string>& target, const std::string& help);

  /// What stands on a command line, before it is parsed.
  struct Layout {
    std::vector<std::size_t> words = {};   ///< Where words stand that belong to no option.
    std::vector<std::string> values = {};  ///< Of the option that was asked for.
    bool wants_help = false;
  };
  /// `option` is one that takes a value, by one of its names.
  Layout layout(const std::vector<std::string>& arguments, const std::string& option) const;

  /// The exit code, if the help was shown or something is wrong.
  std::optional<int> parse(std::vector<std::string> arguments);

 private:
  std::string usage_;
  std::string program_;  // How the command is called: "fairlead serve".
  std::unique_ptr<CLI::App> app_;
};

}  // namespace fairlead::cli
