#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto list_examples = R"(  fairlead list memory
  fairlead list memory tools --long
  fairlead list https://example.com/mcp
  fairlead list tools --long -- ./server
  fairlead list resources --json -- npx -y some-server)";

using Rows = std::vector<std::pair<std::string, std::string>>;

/// One list, as table rows and as JSON.
struct ListSection {
  std::string title;
  std::string member;  ///< The member's name in JSON.
  Rows rows = {};
  std::string json = {};
};

template <class T>
std::string about(const T& thing) {
  return thing.description ? *thing.description : thing.title.value_or("");
}

std::string type_of(const boost::json::value& schema) {
  const auto* object = schema.if_object();
  const auto* choices = object != nullptr ? object->if_contains("enum") : nullptr;
  if (choices != nullptr) return "one of " + boost::json::serialize(*choices);
  const auto* type = object != nullptr ? object->if_contains("type") : nullptr;
  if (type == nullptr) return "any";
  return type->is_string() ? std::string(type->get_string()) : boost::json::serialize(*type);
}

bool requires_argument(const boost::json::object& schema, std::string_view name) {
  const auto* required = schema.if_contains("required");
  if (required == nullptr || !required->is_array()) return false;
  return std::ranges::any_of(required->get_array(),
                             [&](const auto& each) { return each.is_string() && each.get_string() == name; });
}

Rows arguments_of(const protocol::Tool& tool) {
  Rows rows;
  const auto* schema = tool.inputSchema.value().if_object();
  const auto* properties = schema != nullptr ? schema->if_contains("properties") : nullptr;
  if (properties == nullptr || !properties->is_object()) return rows;
  for (const auto& [name, property] : properties->get_object()) {
    const auto* described = property.is_object() ? property.get_object().if_contains("description") : nullptr;
    std::string what = type_of(property) + (requires_argument(*schema, name) ? ", required" : "");
    if (described != nullptr && described->is_string()) what.append(": ").append(described->get_string());
    rows.emplace_back("    " + std::string(name), std::move(what));
  }
  return rows;
}

ListSection tools_of(client::Client& client, bool with_arguments) {
  const auto tools = client.tools();
  ListSection section{.title = "Tools", .member = "tools", .json = json::encode(tools)};
  for (const auto& tool : tools) {
    section.rows.emplace_back(tool.name, about(tool));
    if (!with_arguments) continue;
    for (auto& row : arguments_of(tool)) section.rows.push_back(std::move(row));
  }
  return section;
}

ListSection resources_of(client::Client& client) {
  const auto resources = client.resources();
  ListSection section{.title = "Resources", .member = "resources", .json = json::encode(resources)};
  for (const auto& resource : resources) section.rows.emplace_back(resource.uri, about(resource));
  return section;
}

ListSection templates_of(client::Client& client) {
  const auto templates = client.resource_templates();
  ListSection section{.title = "Resource templates", .member = "resourceTemplates", .json = json::encode(templates)};
  for (const auto& each : templates) section.rows.emplace_back(each.uriTemplate, about(each));
  return section;
}

ListSection prompts_of(client::Client& client, bool with_arguments) {
  const auto prompts = client.prompts();
  ListSection section{.title = "Prompts", .member = "prompts", .json = json::encode(prompts)};
  for (const auto& prompt : prompts) {
    section.rows.emplace_back(prompt.name, about(prompt));
    if (!with_arguments || !prompt.arguments) continue;
    for (const auto& argument : *prompt.arguments) {
      const std::string demanded = argument.required.value_or(false) ? "required" : "optional";
      section.rows.emplace_back("    " + argument.name,
                                demanded + (argument.description ? ": " + *argument.description : ""));
    }
  }
  return section;
}

struct FailedList {
  std::string title, member, reason;
};

/// The lists of a server, and those that failed.
struct ServerLists {
  std::vector<ListSection> sections = {};
  std::vector<FailedList> failed = {};
  bool answered = true;  ///< All failures were errors sent by the server, not connection failures.
};

/// Fetches the lists of a server one by one. A failed list does not stop the others.
class ListCollector {
 public:
  ListCollector(client::Client& client, const ClientCommand& command, bool with_arguments)
      : client_(client), command_(command), with_arguments_(with_arguments) {}

  ServerLists list(const std::string& kind) {
    const bool all = kind == "all";
    const auto has = client_.server().capabilities;
    if (kind == "tools" || (all && has.tools))
      add("Tools", "tools", [&] { return tools_of(client_, with_arguments_); });
    if (kind == "resources" || (all && has.resources))
      add("Resources", "resources", [&] { return resources_of(client_); });
    if (kind == "templates" || (all && has.resources)) {
      add("Resource templates", "resourceTemplates", [&] { return templates_of(client_); });
    }
    if (kind == "prompts" || (all && has.prompts))
      add("Prompts", "prompts", [&] { return prompts_of(client_, with_arguments_); });
    return std::move(listing_);
  }

 private:
  template <class Make>
  void add(const char* title, const char* member, Make make) {
    try {
      listing_.sections.push_back(make());
    } catch (const client::Failure& failure) {
      if (failure.error().kind != ErrorKind::refused) listing_.answered = false;
      listing_.failed.push_back({.title = title, .member = member, .reason = command_.error_message(failure.error())});
    }
  }

  client::Client& client_;
  const ClientCommand& command_;
  bool with_arguments_;
  ServerLists listing_;
};

std::string as_json(const ServerLists& listing) {
  std::string failed;
  {
    json::ObjectWriter reasons(failed);
    for (const auto& list : listing.failed) reasons.raw(list.member, json::encode(list.reason));
  }
  std::string text;
  {
    json::ObjectWriter document(text);
    for (const auto& section : listing.sections) document.raw(section.member, section.json);
    if (!listing.failed.empty()) document.raw("failed", failed);
  }
  return text + "\n";
}

std::string as_text(const std::vector<ListSection>& sections) {
  std::string text;
  for (const auto& section : sections) {
    if (!text.empty()) text += '\n';
    text += section.title + (section.rows.empty() ? ": none\n" : "\n") + format_table(section.rows);
  }
  return text.empty() ? "The server offers no tools, resources or prompts.\n" : text;
}

/// `fairlead list tools` without a server: the tools of all configured servers.
int list_all_configured_tools(const ClientCommand& command) {
  Args args;
  for (const auto& file : command.files()) args.own.insert(args.own.end(), {"-c", file});
  if (command.json()) args.own.emplace_back("--json");
  return run_command("tools", args);
}

struct ListOptions : ClientCommand {
  std::string kind = "all";
  bool with_arguments = false;
};

int run_list(ListOptions flags) {
  flags.set_no_server_action(
      [&] { return flags.kind == "tools" ? std::optional(list_all_configured_tools(flags)) : std::nullopt; });
  return flags.run([&](client::Client& client) {
    const auto listing = ListCollector(client, flags, flags.with_arguments).list(flags.kind);
    const bool nothing = listing.sections.empty() && !listing.failed.empty();
    const int printed = print(flags.json() ? as_json(listing) : nothing ? "" : as_text(listing.sections));
    for (const auto& [title, member, reason] : listing.failed)
      print_stderr(fmt::format("fairlead list: {}: {}", title, reason));
    return nothing || !listing.answered ? exit_code::failed : printed;
  });
}

}  // namespace

RunCommand declare_list(Options& options) {
  auto flags = std::make_shared<ListOptions>();
  options.describe(
      "list [tools|resources|templates|prompts] [options] <name> | <url> | -- <server command...>",
      "Lists the tools, resources and prompts of a server. Lists that fail are reported on stderr.\n"
      "Exit codes: 0 success, 1 nothing could be listed or the connection was lost, 2 usage error, 3 server "
      "unreachable.",
      list_examples);
  options.choice("kind", flags->kind, "what to list (default: everything)",
                 {"tools", "resources", "templates", "prompts"});
  options.flag("-l,--long", flags->with_arguments, "also show the arguments");
  flags->add_options(options);
  return [flags] { return run_list(*flags); };
}

}  // namespace fairlead::cli
