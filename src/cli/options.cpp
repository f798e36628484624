#include "cli/options.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <utility>

#include "base/closest_match.hpp"
#include "cli/command_spec.hpp"
#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

class HelpPage final : public CLI::Formatter {
 public:
  explicit HelpPage(std::string usage) : usage_(std::move(usage)) { column_width(30); }

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override {
    auto page = "usage: fairlead " + usage_ + "\n\n" + app->get_description() + "\n";
    page += make_positionals(app) + make_groups(app, mode);
    const auto examples = app->get_footer();
    return examples.empty() ? page : page + "\nExamples\n" + examples + "\n";
  }

  std::string make_group(std::string group, bool positional, std::vector<const CLI::Option*> options) const override {
    if (positional) group = "Arguments";
    std::string text = "\n" + group + "\n";
    for (const auto* option : options) text += make_option(option, positional);
    return text;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const auto type = option->get_type_name();
    return type.empty() ? "" : " " + type;
  }

 private:
  std::string usage_;
};

std::string joined(const std::vector<std::string>& choices) {
  std::string all;
  for (const auto& each : choices) all += (all.empty() ? "" : "|") + each;
  return all;
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
  const auto check = [choices](const std::string& given) {
    if (std::ranges::find(choices, given) != choices.end()) return std::string();
    return "'" + given + "' is not one of " + joined(choices);
  };
  return CLI::Validator(check, "");
}

OptionSpec option_spec_of(const CLI::Option& option) {
  OptionSpec out{.value = option.get_type_name(), .help = option.get_description()};
  for (const auto& name : option.get_snames()) out.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) out.names.push_back("--" + name);
  out.is_positional = out.names.empty();
  if (out.is_positional) out.names.push_back(option.get_name());
  return out;
}

/// "; did you mean --port?" if an unknown argument is similar to an option; otherwise empty.
std::string option_suggestion(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const auto& word : app.remaining()) {
    const auto near = word.starts_with("--") ? closest_match(word.substr(0, word.find('=')), names) : std::nullopt;
    if (near) return "; did you mean " + *near + "?";
  }
  return "";
}

}  // namespace

std::string OptionSpec::title() const {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return value.empty() ? text : text + " " + value;
}

Options::Options() : app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag("-h,--help", "show this help");
}

Options::~Options() = default;

void Options::describe(std::string usage, std::string description, std::string examples) {
  usage_ = std::move(usage);
  command_ = usage_.starts_with('[') ? "" : usage_.substr(0, usage_.find(' '));
  app_->description(std::move(description));
  app_->footer(std::move(examples));
  app_->formatter(std::make_shared<HelpPage>(usage_));
}

void Options::flag(const std::string& names, bool& target, const std::string& help) {
  app_->add_flag(names, target, help);
}

void Options::text(const std::string& names, std::string& target, const std::string& help,
                   const std::string& placeholder) {
  app_->add_option(names, target, help)->type_name(placeholder);
}

void Options::choice(const std::string& names, std::string& target, const std::string& help,
                     const std::vector<std::string>& choices) {
  app_->add_option(names, target, help)->type_name(joined(choices))->check(one_of(choices));
}

void Options::repeatable(const std::string& names, std::vector<std::string>& target, const std::string& help,
                         const std::string& placeholder) {
  // One value each time: the arguments after it are positional.
  app_->add_option(names, target, help)
      ->type_name(placeholder)
      ->type_size(1)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void Options::optional_value(const std::string& names, std::string& target, const std::string& help) {
  app_->add_flag(names, target, help);
}

void Options::positional(const std::string& name, std::string& target, const std::string& help, bool required) {
  app_->add_option(name, target, help)->required(required)->type_name("");
}

void Options::positionals(const std::string& name, std::vector<std::string>& target, const std::string& help) {
  app_->add_option(name, target, help)->type_name("");
}

Options::Layout Options::layout(const std::vector<std::string>& arguments, const std::string& option) const {
  Layout out;
  const auto* const wanted = app_->get_option_no_throw(option);
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const auto& word = arguments[at];
    if (word.size() < 2 || word.front() != '-') {
      out.positionals.push_back(at);
      continue;
    }
    if (word == "-h" || word == "--help") out.wants_help = true;
    const bool is_short = word[1] != '-';
    const auto equals = is_short ? std::string::npos : word.find('=');
    const auto* const found = app_->get_option_no_throw(is_short ? word.substr(0, 2) : word.substr(0, equals));
    if (!found || found->get_items_expected_max() == 0) continue;
    const bool attached = is_short ? word.size() > 2 : equals != std::string::npos;
    if (!attached && ++at == arguments.size()) break;
    if (found != wanted) continue;
    out.values.push_back(!attached ? arguments[at] : word.substr(is_short ? 2 : equals + 1));
  }
  return out;
}

CommandSpec Options::spec() const {
  CommandSpec spec{.usage = usage_, .description = app_->get_description(), .examples = app_->get_footer()};
  for (const auto* option : app_->get_options()) spec.options.push_back(option_spec_of(*option));
  return spec;
}

std::optional<int> Options::parse(Args args) {
  if (const auto done = take_ ? take_(args) : std::nullopt) return done;
  if (server_command_) *server_command_ = args.server_command;
  // CLI11 expects the arguments in reverse order.
  std::ranges::reverse(args.own);
  try {
    app_->parse(std::move(args.own));
    if (!no_server_command_.empty() && !args.server_command.empty()) return usage_error(command_, no_server_command_);
    return check_ ? check_() : std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return print(app_->help());
  } catch (const CLI::ParseError& wrong) {
    return usage_error(command_, wrong.what() + option_suggestion(*app_));
  }
}

}  // namespace fairlead::cli
