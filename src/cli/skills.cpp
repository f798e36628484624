#include <fairlead/skills.hpp>

#include <algorithm>
#include <fairlead/server/server.hpp>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

#include "cli/client_command.hpp"
#include "cli/http_serve_options.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

constexpr auto skills_examples = R"(  fairlead skills check ./skills
  fairlead skills serve ./skills --http 127.0.0.1:8080
  fairlead skills list http://127.0.0.1:8080/mcp
  fairlead skills get pdf-processing http://127.0.0.1:8080/mcp
  fairlead skills get pdf-processing --file references/forms.md -- ./server)";

struct SkillsCommand : ClientCommand {
  std::string action = {};
  std::vector<std::string> words = {};  ///< The skill of `get`, and a folder.
  std::string file = {};
  HttpServeOptions http = {};
};

int list_skills(client::Client& client, bool json) {
  const auto all = skills::list_skills(client);
  if (json) return print(R"({"skills":)" + json::encode(all) + "}\n");
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& skill : all) rows.emplace_back(skill.name(), skill.description());
  return print(rows.empty() ? "The server lists no skills.\n" : format_table(rows));
}

/// Loads a skill with all its files. Returns a summary, or throws.
std::string load_completely(client::Client& client, const Skill& skill) {
  auto loaded = skills::load_skill(client, skill);
  if (skill.files() == nullptr) return "SKILL.md verified; the skill is dynamic, so its other files cannot be";
  std::int64_t bytes = 0;
  for (const auto& file : *skill.files()) {
    loaded.read(file.uri.substr(skill.directory().size() + 1));
    bytes += file.size;
  }
  return fmt::format("{}, {} bytes", pluralize(skill.files()->size(), "file"), bytes);
}

int check_skills(client::Client& client, const ClientCommand& command) {
  int code = exit_code::done;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& skill : skills::list_skills(client)) {
    try {
      rows.emplace_back(skill.name(), load_completely(client, skill));
    } catch (const client::Failure& failure) {
      code = report_error("skills", escape_for_terminal(command.error_message(failure.error())), exit_code::failed);
    }
  }
  const int printed = print(format_table(rows));
  return code != exit_code::done ? code : printed;
}

/// The skill with this name or URI; also one that the server does not list.
Skill find_skill(client::Client& client, const std::string& word) {
  if (word.contains("://")) return skills::get_skill(client, word);
  std::vector<Skill> found;
  std::string names;
  for (auto& skill : skills::list_skills(client)) {
    names += (names.empty() ? "" : ", ") + skill.name();
    if (skill.name() == word) found.push_back(std::move(skill));
  }
  if (found.size() == 1) return std::move(found.front());
  auto why = fmt::format("unknown skill '{}'; the server lists {}", word, names.empty() ? "none" : names);
  if (!found.empty()) {
    why = fmt::format("{} skills are named '{}'; give a URI, such as {}", found.size(), word, found.front().uri);
  }
  throw client::Failure({.kind = ErrorKind::invalid, .message = std::move(why)});
}

int get_skill(client::Client& client, const SkillsCommand& flags) {
  const auto skill = find_skill(client, flags.words.front());
  auto loaded = skills::load_skill(client, skill);
  if (flags.json()) return print(json::encode(skill) + "\n");
  const auto text = flags.file.empty() ? loaded.text() : loaded.read(flags.file);
  return print(::isatty(STDOUT_FILENO) == 1 ? escape_for_terminal(text) : text);
}

int use_skills(client::Client& client, const SkillsCommand& flags) {
  if (flags.action == "list") return list_skills(client, flags.json());
  if (flags.action == "check") return check_skills(client, flags);
  return get_skill(client, flags);
}

/// Calls `work` with a server that serves the folder. Mistakes in the folder are printed.
int with_folder(const std::string& folder, const std::function<int(server::Server&)>& work) {
  server::Server server("fairlead skills", std::string(version));
  try {
    skills::serve_skills(server, folder);
  } catch (const std::invalid_argument& mistakes) {
    print_stderr(escape_for_terminal(mistakes.what()));
    return exit_code::failed;
  }
  return work(server);
}

int use_folder(const std::string& folder, const SkillsCommand& flags) {
  return with_folder(folder, [&](server::Server& server) {
    client::Client client(server);
    try {
      return use_skills(client, flags);
    } catch (const client::Failure& failure) {
      return report_error("skills", failure.error().message, exit_code::failed);
    }
  });
}

int serve_folder(const SkillsCommand& flags) {
  if (flags.words.size() != 1) return flags.usage_error("serve takes one folder");
  const auto decision = resolve_debug(flags.log());
  if (!decision) return report_error("skills", decision.error().message, exit_code::usage);
  auto arguments = server_arguments("fairlead skills", *decision, flags.http);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  return with_folder(flags.words.front(), [&](server::Server& server) {
    return server.run(static_cast<int>(pointers.size()), pointers.data());
  });
}

int run_skills(SkillsCommand flags) {
  if (flags.action.empty()) return flags.usage_error("needs an action: list, check, get or serve");
  if (flags.action == "serve") return serve_folder(flags);
  const std::size_t own = flags.action == "get" ? 1 : 0;  // Words besides the folder.
  if (flags.words.size() < own) return flags.usage_error("get needs the name or the URI of a skill");
  if (flags.words.size() > own + 1) return flags.usage_error(fmt::format("unexpected '{}'", flags.words.back()));
  const bool has_folder = flags.words.size() == own + 1;
  if (has_folder && flags.has_server()) return flags.usage_error("give a server or a folder, not both");
  flags.set_no_server_action(
      [&] { return has_folder ? std::optional(use_folder(flags.words.back(), flags)) : std::nullopt; });
  return flags.run([&](client::Client& client) { return use_skills(client, flags); });
}

}  // namespace

RunCommand declare_skills(Options& options) {
  auto flags = std::make_shared<SkillsCommand>();
  options.describe(
      "skills list|check|get|serve [<skill>] [options] <name> | <url> | <folder> | -- <server command...>",
      "Works with Agent Skills, on a server or in a folder.\n"
      "list shows them; check reads all their files and verifies them; get prints SKILL.md, or another "
      "file, after it was verified; serve offers the skills of a folder on stdin and stdout or over HTTP.\n"
      "Exit codes: 0 success, 1 a skill is missing or wrong, 2 usage error, 3 server unreachable.",
      skills_examples);
  options.choice("action", flags->action, "what to do", {"list", "check", "get", "serve"});
  options.positionals("skill", flags->words, "for get: the name or URI of a skill; otherwise a folder with skills");
  options.text("--file", flags->file, "for get: a file of the skill, by its path", "<path>");
  add_http_options(options, flags->http);
  flags->add_options(options);
  return [flags] { return run_skills(*flags); };
}

}  // namespace fairlead::cli
