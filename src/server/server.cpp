#include <fairlead/server/server.hpp>

#include <stdexcept>
#include <utility>

#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

constexpr std::size_t default_threads = 8, default_queue = 256;

protocol::StateSeal fresh_seal() {
  auto seal = protocol::StateSeal::random();
  if (!seal) throw std::runtime_error(seal.error().message);
  return std::move(*seal);
}

[[noreturn]] void throw_duplicate(std::string_view what, const std::string& name) {
  throw std::invalid_argument(std::string(what) + " '" + name + "' is already registered; remove it first");
}

std::optional<json::Schema> compile(const std::string& tool, std::string_view which, std::string_view text) {
  auto schema = json::Schema::compile(text);
  if (schema) return std::move(*schema);
  throw std::invalid_argument("the " + std::string(which) + " of tool '" + tool + "': " + schema.error().message);
}

}  // namespace

ServerState::ServerState(std::string name, std::string version)
    : pool(std::make_unique<BlockingPool>(default_threads, default_queue)) {
  info.name = std::move(name);
  info.version = std::move(version);
}

std::shared_ptr<const Registry> ServerState::registry() const {
  return registry_.with([](const auto& now) { return now; });
}

bool ServerState::change(const std::function<bool(Registry&)>& edit) {
  return registry_.with([&](auto& now) {
    auto next = std::make_shared<Registry>(*now);
    if (!edit(*next)) return false;
    now = std::move(next);
    return true;
  });
}

const protocol::StateSeal& ServerState::seal() const {
  if (chosen_seal) return *chosen_seal;
  return own_seal_.with([](std::unique_ptr<const protocol::StateSeal>& own) -> const protocol::StateSeal& {
    if (!own) own = std::make_unique<const protocol::StateSeal>(fresh_seal());
    return *own;
  });
}

Server::Server(std::string name, std::string version)
    : state_(std::make_unique<ServerState>(std::move(name), std::move(version))) {}
Server::~Server() = default;

Server& Server::title(std::string title) {
  state_->info.title = std::move(title);
  return *this;
}

Server& Server::description(std::string description) {
  state_->info.description = std::move(description);
  return *this;
}

Server& Server::website(std::string url) {
  state_->info.websiteUrl = std::move(url);
  return *this;
}

Server& Server::icons(std::vector<protocol::Icon> icons) {
  state_->info.icons = std::move(icons);
  return *this;
}

Server& Server::instructions(std::string text) {
  state_->instructions = std::move(text);
  return *this;
}

Server& Server::page_size(std::size_t entries) {
  return try_register([&] {
    if (entries == 0) throw std::invalid_argument("page_size(0): the page size must be at least 1");
    state_->page_size = entries;
  });
}

Server& Server::try_register(const std::function<void()>& registration) {
  try {
    registration();
  } catch (const std::invalid_argument& registration_error) {
    if (state_->serving) throw;
    state_->registration_errors.with([&](auto& all) { all.emplace_back(registration_error.what()); });
  }
  return *this;
}

void ServerState::check() const {
  std::string text;
  registration_errors.with([&](const auto& all) {
    for (const auto& registration_error : all) text += (text.empty() ? "" : "\n") + registration_error;
  });
  // Not at registration: a page may be registered after its tool.
  for (const auto& tool : registry()->tools.entries()) {
    if (const auto missing = missing_page(tool->entry); !missing.empty()) text += (text.empty() ? "" : "\n") + missing;
  }
  if (!text.empty()) throw std::invalid_argument(text);
}

void Server::check() const {
  state_->check();
}

Server& Server::cache(std::chrono::milliseconds ttl, protocol::CacheScope scope) {
  state_->ttl = ttl;
  state_->cache_scope = scope;
  return *this;
}

Server& Server::visible(std::function<bool(EntryKind, std::string_view, std::string_view)> rule) {
  state_->visibility = std::move(rule);
  return *this;
}

Server& Server::logging(bool offered) {
  state_->logging = offered;
  return *this;
}

Server& Server::seal(protocol::StateSeal seal) {
  state_->chosen_seal = std::move(seal);
  return *this;
}

Server& Server::blocking_threads(std::size_t threads, std::size_t queue) {
  state_->pool = std::make_unique<BlockingPool>(threads, queue);
  return *this;
}

Server& Server::tasks(std::shared_ptr<TaskStore> store) {
  return tasks(std::move(store), TaskOptions{});
}

Server& Server::tasks(std::shared_ptr<TaskStore> store, TaskOptions options) {
  state_->tasks.store = std::move(store);
  state_->tasks.options = std::move(options);
  state_->tasks.offered = true;
  return *this;
}

void Server::finish_background_work(Duration limit) {
  state_->tasks.wait_until_idle(limit);
}

const protocol::Implementation& Server::info() const {
  return state_->info;
}

namespace {

std::vector<protocol::HeaderParam> header_params(const std::string& tool, std::string_view schema) {
  // Few tools have header params; this saves parsing the schemas of the others.
  if (schema.find("x-mcp-header") == std::string_view::npos) return {};
  auto params = protocol::collect_header_params(schema);
  if (!params) throw std::invalid_argument("tool '" + tool + "': " + params.error().message);
  return std::move(*params);
}

}  // namespace

Server& Server::add(ToolEntry entry) {
  return try_register([&] { state_->add(std::move(entry)); });
}
Server& Server::add(ResourceEntry entry) {
  return try_register([&] { state_->add(std::move(entry)); });
}
Server& Server::add(PromptEntry entry) {
  return try_register([&] { state_->add(std::move(entry)); });
}
Server& Server::add(CompletionEntry entry) {
  return try_register([&] { state_->add(std::move(entry)); });
}

void ServerState::add(ToolEntry entry) {
  const std::string name = entry.definition.name;
  if (!is_tool_name(name)) {
    throw std::invalid_argument("tool '" + name + "': a tool name has 1 to 128 characters of A-Z a-z 0-9 _ . -");
  }
  if (!entry.ui.for_app && !entry.ui.for_model) {
    throw std::invalid_argument("tool '" + name + "': ui allows neither pages nor the model to call it");
  }
  if (const auto missing = serving ? missing_page(entry) : ""; !missing.empty()) throw std::invalid_argument(missing);
  RegisteredTool tool{.entry = std::move(entry)};
  const auto& definition = tool.entry.definition;
  if (tool.entry.checks_input) tool.input = compile(name, "inputSchema", definition.inputSchema.text());
  if (tool.entry.checks_output) tool.output = compile(name, "outputSchema", definition.outputSchema->text());
  tool.headers = server::header_params(name, definition.inputSchema.text());
  if (tool.entry.task.mode != TaskMode::forbidden) tasks.offered = true;
  if (!change([&](Registry& all) { return all.tools.add(name, std::move(tool)); })) throw_duplicate("tool", name);
  observers->notify({.kind = EntryKind::tool, .name = name});
}

void ServerState::add(ResourceEntry entry) {
  const std::string key = entry.key;
  const bool is_template = entry.is_template;
  RegisteredResource resource{.entry = std::move(entry)};
  if (is_template) {
    auto parsed = protocol::UriTemplate::parse(key);
    if (!parsed) throw std::invalid_argument("resource template '" + key + "': " + parsed.error().message);
    resource.uri_template = std::move(*parsed);
  }
  const auto add_resource = [&](Registry& all) {
    return (is_template ? all.templates : all.resources).add(key, std::move(resource));
  };
  if (!change(add_resource)) throw_duplicate("resource", key);
  observers->notify({.kind = is_template ? EntryKind::resource_template : EntryKind::resource, .name = key});
}

void ServerState::add(PromptEntry entry) {
  const std::string name = entry.definition.name;
  if (name.empty()) throw std::invalid_argument("a prompt needs a name");
  RegisteredPrompt prompt{.entry = std::move(entry)};
  if (!change([&](Registry& all) { return all.prompts.add(name, std::move(prompt)); })) throw_duplicate("prompt", name);
  observers->notify({.kind = EntryKind::prompt, .name = name});
}

void ServerState::add(CompletionEntry entry) {
  const std::string key = entry.key;
  if (!change([&](Registry& all) { return all.completions.add(key, std::move(entry)); }))
    throw_duplicate("completion", key);
}

std::string completion_key(const protocol::PromptReference& prompt, std::string_view argument) {
  return "prompt\n" + prompt.name + "\n" + std::string(argument);
}

std::string completion_key(const protocol::ResourceReference& resource, std::string_view variable) {
  return "resource\n" + resource.uri + "\n" + std::string(variable);
}

bool Server::remove_tool(std::string_view name) {
  if (!state_->change([&](Registry& all) { return all.tools.remove(name); })) return false;
  state_->observers->notify({.kind = EntryKind::tool, .name = std::string(name)});
  return true;
}

bool Server::remove_resource(std::string_view uri_or_template) {
  auto kind = EntryKind::resource;
  const auto remove = [&](Registry& all) {
    if (all.resources.remove(uri_or_template)) return true;
    kind = EntryKind::resource_template;
    return all.templates.remove(uri_or_template);
  };
  if (!state_->change(remove)) return false;
  state_->observers->notify({.kind = kind, .name = std::string(uri_or_template)});
  return true;
}

bool Server::remove_prompt(std::string_view name) {
  if (!state_->change([&](Registry& all) { return all.prompts.remove(name); })) return false;
  state_->observers->notify({.kind = EntryKind::prompt, .name = std::string(name)});
  return true;
}

void Server::resource_updated(std::string uri) {
  state_->observers->notify({.kind = EntryKind::resource, .name = std::move(uri), .contents_changed = true});
}

void Server::visibility_changed() {
  const auto all = state_->registry();
  if (!all->tools.empty()) state_->observers->notify({.kind = EntryKind::tool});
  if (!all->resources.empty() || !all->templates.empty()) state_->observers->notify({.kind = EntryKind::resource});
  if (!all->prompts.empty()) state_->observers->notify({.kind = EntryKind::prompt});
}

ChangeSubscription Server::subscribe_changes(OnChange on_change) {
  return state_->observers->add(state_->observers, std::move(on_change));
}

}  // namespace fairlead::server
