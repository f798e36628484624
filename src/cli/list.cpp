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

/// The entries of one list, as table rows and as JSON.
struct FetchedList {
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

FetchedList tools_of(client::Client& client, bool with_arguments) {
  const auto tools = client.tools();
  FetchedList list{.json = json::encode(tools)};
  for (const auto& tool : tools) {
    list.rows.emplace_back(tool.name, about(tool));
    if (!with_arguments) continue;
    for (auto& row : arguments_of(tool)) list.rows.push_back(std::move(row));
  }
  return list;
}

FetchedList resources_of(client::Client& client, bool) {
  const auto resources = client.resources();
  FetchedList list{.json = json::encode(resources)};
  for (const auto& resource : resources) list.rows.emplace_back(resource.uri, about(resource));
  return list;
}

FetchedList templates_of(client::Client& client, bool) {
  const auto templates = client.resource_templates();
  FetchedList list{.json = json::encode(templates)};
  for (const auto& each : templates) list.rows.emplace_back(each.uriTemplate, about(each));
  return list;
}

FetchedList prompts_of(client::Client& client, bool with_arguments) {
  const auto prompts = client.prompts();
  FetchedList list{.json = json::encode(prompts)};
  for (const auto& prompt : prompts) {
    list.rows.emplace_back(prompt.name, about(prompt));
    if (!with_arguments || !prompt.arguments) continue;
    for (const auto& argument : *prompt.arguments) {
      const std::string demanded = argument.required.value_or(false) ? "required" : "optional";
      list.rows.emplace_back("    " + argument.name,
                             demanded + (argument.description ? ": " + *argument.description : ""));
    }
  }
  return list;
}

/// A list that servers may offer.
struct ListMethod {
  std::string_view kind, title, member;  ///< On the command line; in the text; in JSON.
  bool (*is_offered)(const protocol::ServerCapabilities& has);
  FetchedList (*fetch)(client::Client& client, bool with_arguments);
};

constexpr ListMethod list_methods[] = {
    {"tools", "Tools", "tools", [](const auto& has) { return has.tools.has_value(); }, tools_of},
    {"resources", "Resources", "resources", [](const auto& has) { return has.resources.has_value(); }, resources_of},
    {"templates", "Resource templates", "resourceTemplates", [](const auto& has) { return has.resources.has_value(); },
     templates_of},
    {"prompts", "Prompts", "prompts", [](const auto& has) { return has.prompts.has_value(); }, prompts_of},
};

/// The lists of a server, and why others failed.
struct ServerLists {
  std::vector<std::pair<const ListMethod*, FetchedList>> fetched = {};
  std::vector<std::pair<const ListMethod*, std::string>> failed = {};
  bool answered = true;  ///< All failures were errors sent by the server, not connection failures.
};

struct ListOptions : ClientCommand {
  std::string kind = "all";
  bool with_arguments = false;
};

/// Fetches the lists of a server one by one. A failed list does not stop the others.
ServerLists fetch_lists(client::Client& client, const ListOptions& flags) {
  ServerLists lists;
  const auto has = client.server().capabilities;
  for (const auto& method : list_methods) {
    if (flags.kind == "all" ? !method.is_offered(has) : flags.kind != method.kind) continue;
    try {
      lists.fetched.emplace_back(&method, method.fetch(client, flags.with_arguments));
    } catch (const client::Failure& failure) {
      if (failure.error().kind != ErrorKind::refused) lists.answered = false;
      lists.failed.emplace_back(&method, flags.error_message(failure.error()));
    }
  }
  return lists;
}

std::string as_json(const ServerLists& lists) {
  std::string failed;
  {
    json::ObjectWriter reasons(failed);
    for (const auto& [method, reason] : lists.failed) reasons.raw(method->member, json::encode(reason));
  }
  std::string text;
  {
    json::ObjectWriter document(text);
    for (const auto& [method, list] : lists.fetched) document.raw(method->member, list.json);
    if (!lists.failed.empty()) document.raw("failed", failed);
  }
  return text + "\n";
}

std::string as_text(const ServerLists& lists) {
  std::string text;
  for (const auto& [method, list] : lists.fetched) {
    if (!text.empty()) text += '\n';
    text += std::string(method->title) + (list.rows.empty() ? ": none\n" : "\n") + format_table(list.rows);
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

int run_list(ListOptions flags) {
  flags.set_no_server_action(
      [&] { return flags.kind == "tools" ? std::optional(list_all_configured_tools(flags)) : std::nullopt; });
  return flags.run([&](client::Client& client) {
    const auto lists = fetch_lists(client, flags);
    const bool nothing = lists.fetched.empty() && !lists.failed.empty();
    const int printed = print(flags.json() ? as_json(lists) : nothing ? "" : as_text(lists));
    for (const auto& [method, reason] : lists.failed)
      print_stderr(fmt::format("fairlead list: {}: {}", method->title, reason));
    return nothing || !lists.answered ? exit_code::failed : printed;
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
