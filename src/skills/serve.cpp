#include <fairlead/skills/serve.hpp>

#include <fairlead/base/base64.hpp>
#include <fairlead/base/synchronized.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/server/server.hpp>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "skills/skill_uri.hpp"
#include "skills/snapshot.hpp"

namespace fairlead::skills {

using protocol::ProtocolError;
using server::Context;
using server::EntryKind;
using server::ResourceOptions;

/// Makes the next snapshot.
using ReadSkills = std::function<Result<std::shared_ptr<const Snapshot>>(const SkillsOptions& options)>;

struct ServedSkillsState {
  ServedSkillsState(server::Server& served, ReadSkills from, SkillsOptions chosen)
      : server(served), read(std::move(from)), options(std::move(chosen)) {}

  server::Server& server;
  const ReadSkills read;
  const SkillsOptions options;
  std::mutex reloading;  ///< Held during `read`.
  Synchronized<std::shared_ptr<const Snapshot>> current;

  std::shared_ptr<const Snapshot> snapshot() const {
    return current.with([](const auto& now) { return now; });
  }
};

namespace {

using State = std::shared_ptr<ServedSkillsState>;
using MethodResult = Task<Result<json::Payload>>;

struct UriParams {
  std::string uri;
  std::optional<std::string> cursor = {};
};

/// The entry after which the page starts; empty for the first page.
Result<std::string> entry_before_page(const std::optional<std::string>& cursor) {
  if (!cursor) return std::string();
  auto uri = base64_decode(*cursor, Base64::url);
  if (!uri) return refuse(ProtocolError::bad_cursor, "unknown cursor; restart the list", *cursor);
  return uri;
}

/// A result with a list, the cursor of the next page if there is one, and cache hints.
json::Payload page_result(std::string_view member, const std::vector<std::string_view>& entries,
                          std::string_view last_uri, const SkillsOptions& options) {
  std::string text;
  {
    json::ObjectWriter object(text);
    auto& list = object.member(member);
    list += '[';
    for (const auto entry : entries) (list += list.ends_with('[') ? "" : ",") += entry;
    list += ']';
    if (!last_uri.empty()) object.text("nextCursor", base64_encode(last_uri, Base64::url));
    object.raw("ttlMs", std::to_string(options.ttl.count()));
    object.raw("cacheScope", json::encode(options.cache_scope));
  }
  return json::Payload::trusted(std::move(text));
}

bool is_visible(const Context& context, std::string_view uri) {
  return context.is_visible(EntryKind::resource, uri);
}

/// True if the caller may see a skill that contains this file or directory, which must exist.
bool is_in_visible_skill(const Snapshot& snapshot, const Context& context, std::string_view uri) {
  for (auto directory = uri; directory.size() > skill_uri_prefix.size();
       directory = directory.substr(0, directory.rfind('/'))) {
    const auto manifest = std::string(directory) + "/SKILL.md";
    if (snapshot.find_skill(manifest) != nullptr && is_visible(context, manifest)) return true;
  }
  return false;
}

MethodResult list(const State& state, const json::Payload& params, const Context& context) {
  const auto requested = json::decode<protocol::PaginatedParams>(params);
  if (!requested) return refuse(ProtocolError::invalid_params, requested.error().message, "skills/list");
  const auto after = entry_before_page(requested->cursor);
  if (!after) return std::unexpected(after.error());
  const auto snapshot = state->snapshot();
  std::vector<std::string_view> entries;
  std::string_view last;
  for (auto at = snapshot->skills.upper_bound(*after); at != snapshot->skills.end(); ++at) {
    if (!at->second.listed || !is_visible(context, at->first)) continue;
    if (entries.size() == state->options.page_size) return page_result("skills", entries, last, state->options);
    entries.emplace_back(at->second.json);
    last = at->first;
  }
  return page_result("skills", entries, {}, state->options);
}

MethodResult get(const State& state, const json::Payload& params, const Context& context) {
  const auto requested = json::decode<UriParams>(params);
  if (!requested) return refuse(ProtocolError::invalid_params, requested.error().message, "skills/get");
  const auto snapshot = state->snapshot();
  const auto* found = snapshot->find_skill(requested->uri);
  if (found == nullptr || !is_visible(context, requested->uri)) {
    return refuse(ProtocolError::invalid_params, "unknown skill " + requested->uri, requested->uri);
  }
  std::string text;
  {
    json::ObjectWriter object(text);
    object.raw("skill", found->json);
    object.raw("ttlMs", std::to_string(state->options.ttl.count()));
    object.raw("cacheScope", json::encode(state->options.cache_scope));
  }
  return json::Payload::trusted(std::move(text));
}

MethodResult read_directory(const State& state, const json::Payload& params, const Context& context) {
  const auto requested = json::decode<UriParams>(params);
  if (!requested) return refuse(ProtocolError::invalid_params, requested.error().message, "resources/directory/read");
  const auto after = entry_before_page(requested->cursor);
  if (!after) return std::unexpected(after.error());
  const auto snapshot = state->snapshot();
  const auto found = snapshot->directories.find(requested->uri);
  if (found == snapshot->directories.end() || !is_in_visible_skill(*snapshot, context, requested->uri)) {
    return refuse(ProtocolError::invalid_params, "not a directory of a skill: " + requested->uri, requested->uri);
  }
  std::vector<std::string> children;
  std::string_view next;
  std::string_view last;
  for (const auto& child : found->second) {
    if (child.uri <= *after || !next.empty()) continue;
    if (children.size() == state->options.page_size) {
      next = last;
      continue;
    }
    children.push_back(json::encode(child));
    last = child.uri;
  }
  const std::vector<std::string_view> entries(children.begin(), children.end());
  return page_result("resources", entries, next, state->options);
}

Result<protocol::ReadResourceResult> read(const State& state, const std::string& uri) {
  const auto snapshot = state->snapshot();
  const auto* file = snapshot->find_file(uri);
  if (file == nullptr) return refuse(ProtocolError::resource_missing, "Resource not found: " + uri, uri);
  return protocol::ReadResourceResult{.contents = {Snapshot::contents_of(*file)}};
}

Result<protocol::ReadResourceResult> read_visible(const State& state, const Context& context) {
  auto params = json::decode<protocol::ReadResourceParams>(context.params());
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message, "resources/read");
  const auto& uri = params->uri;
  const auto snapshot = state->snapshot();
  const bool exists = snapshot->find_file(uri) != nullptr;
  if (exists && is_visible(context, uri) && is_in_visible_skill(*snapshot, context, uri)) return read(state, uri);
  return refuse(ProtocolError::resource_missing, "Resource not found: " + uri, uri);
}

/// Lists SKILL.md as a resource. The other files are read through the template.
void add_manifest(const State& state, const Skill& skill) {
  ResourceOptions options{.name = skill.name(), .description = skill.description(), .mime_type = "text/markdown"};
  if (const auto* file = skill.find(skill.uri)) options.size = file->size;
  state->server.resource(skill.uri, std::move(options), [state, uri = skill.uri] { return read(state, uri); });
}

void add_methods(const State& state) {
  auto& server = state->server;
  const bool directories = state->options.directories;
  server.extension(std::string(protocol::extension::skills),
                   json::Payload::trusted(directories ? R"({"directoryRead":true})" : "{}"));
  server.method("skills/list", [state](const auto& params, auto& context) { return list(state, params, context); });
  server.method("skills/get", [state](const auto& params, auto& context) { return get(state, params, context); });
  if (directories) {
    server.method("resources/directory/read",
                  [state](const auto& params, auto& context) { return read_directory(state, params, context); });
  }
  ResourceOptions options{.name = "skill-file", .description = "A file of a skill"};
  auto files = server::make_resource(skill_uri_prefix + "{+path}", true, std::move(options),
                                     [state](Context& context) { return read_visible(state, context); });
  // The handler does not log: a server that only serves skills has no logging capability.
  files.handler.takes_context = false;
  server.add(std::move(files));
}

bool has_same_entry(const Snapshot& snapshot, const StoredSkill& skill) {
  const auto* other = snapshot.find_skill(skill.skill.uri);
  return other != nullptr && other->listed == skill.listed && other->json == skill.json;
}

/// Updates the listed resources, which notifies clients, and notifies subscribers of the files that changed.
void publish(const State& state, const Snapshot& before, const Snapshot& after) {
  for (const auto& [uri, skill] : before.skills) {
    if (skill.listed && !has_same_entry(after, skill)) state->server.remove_resource(uri);
  }
  for (const auto& [uri, skill] : after.skills) {
    if (skill.listed && !has_same_entry(before, skill)) add_manifest(state, skill.skill);
  }
  for (const auto& [uri, file] : after.files) {
    const auto* old = before.find_file(uri);
    if (old != nullptr && old->entry != file.entry) state->server.resource_updated(uri);
  }
}

}  // namespace

std::vector<Skill> ServedSkills::skills() const {
  std::vector<Skill> all;
  const auto snapshot = state_->snapshot();
  for (const auto& [uri, stored] : snapshot->skills) all.push_back(stored.skill);
  return all;
}

Result<void> ServedSkills::reload() {
  const std::lock_guard lock(state_->reloading);
  auto next = state_->read(state_->options);
  if (!next) return std::unexpected(std::move(next.error()));
  const auto before = state_->current.with([&](auto& now) { return std::exchange(now, *next); });
  publish(state_, *before, **next);
  return {};
}

static ServedSkills serve(server::Server& server, ReadSkills read, SkillsOptions options) {
  if (options.page_size == 0) throw std::invalid_argument("page_size must be at least 1");
  const auto state = std::make_shared<ServedSkillsState>(server, std::move(read), std::move(options));
  state->current.with([](auto& now) { now = std::make_shared<const Snapshot>(); });
  ServedSkills served(state);
  if (auto loaded = served.reload(); !loaded) throw std::invalid_argument(loaded.error().message);
  add_methods(state);
  return served;
}

ServedSkills serve_skills(server::Server& server, std::filesystem::path folder, SkillsOptions options) {
  const auto read = [folder = std::move(folder)](const SkillsOptions& chosen) { return read_snapshot(folder, chosen); };
  return serve(server, read, std::move(options));
}

ServedSkills serve_skills(server::Server& server, SkillFiles files, SkillsOptions options) {
  const auto read = [files = std::move(files)](const SkillsOptions& chosen) { return make_snapshot(files, chosen); };
  return serve(server, read, std::move(options));
}

}  // namespace fairlead::skills
