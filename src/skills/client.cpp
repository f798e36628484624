#include <fairlead/skills/client.hpp>

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fmt/format.h>
#include <set>

#include "base/uri.hpp"
#include "skills/frontmatter.hpp"
#include "skills/skill_uri.hpp"

namespace fairlead::skills {
namespace {

constexpr std::size_t max_pages = 1'000;

struct ListPage {
  std::vector<Skill> skills;
  std::optional<std::string> nextCursor = {};  // NOLINT(readability-identifier-naming)
};

struct GetResult {
  Skill skill;
};

// A cached entry has the digests of a skill before it changed, a cached file its old bytes.
client::CallOptions without_cache() {
  client::CallOptions options;
  options.use_cache = false;
  return options;
}

std::unexpected<Error> refused_skill(const Skill& skill, const std::string& why) {
  Error error{.kind = ErrorKind::malformed,
              .message = fmt::format("the skill {} was not loaded: {}. Its server changed it since it was listed; list "
                                     "the skills again, and review this one",
                                     skill.uri, why)};
  error.subject = skill.uri;
  return std::unexpected(std::move(error));
}

Task<Result<void>> require_extension(client::Connection connection) {
  auto server = co_await connection.ensure_connected();
  if (!server) co_return std::unexpected(std::move(server.error()));
  const auto& extensions = server->capabilities.extensions;
  if (!extensions || !extensions->contains(std::string(protocol::extension::skills))) {
    co_return fail(ErrorKind::refused,
                   fmt::format("the server '{}' has no skills: it does not declare the extension {}", server->info.name,
                               protocol::extension::skills));
  }
  co_return Result<void>();
}

Result<std::string> bytes_of(const protocol::ResourceContents& contents) {
  if (const auto* text = std::get_if<protocol::TextResourceContents>(&contents)) return text->text;
  return base64_decode(std::get<protocol::BlobResourceContents>(contents).blob);
}

Task<Result<std::string>> fetch(client::Connection connection, std::string uri) {
  auto result = co_await connection.read(uri, without_cache());
  if (!result) co_return std::unexpected(std::move(result.error()));
  const auto has_uri = [&](const auto& contents) { return contents.uri == uri; };
  if (result->contents.size() != 1 || !std::visit(has_uri, result->contents.front())) {
    co_return fail(ErrorKind::malformed, "the server did not return the contents of " + uri);
  }
  co_return bytes_of(result->contents.front());
}

Result<void> verify(const Skill& skill, const SkillFile& file, std::string_view bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (size != file.size) {
    return refused_skill(skill, fmt::format("{} has {} bytes, its entry says {}", file.uri, size, file.size));
  }
  if (digest_of(bytes) != file.digest) {
    return refused_skill(skill, fmt::format("the digest of {} is not that of its entry", file.uri));
  }
  return {};
}

Result<void> verify_frontmatter(const Skill& skill, std::string_view text) {
  const auto read = read_frontmatter(text);
  if (!read) return refused_skill(skill, fmt::format("line {} of SKILL.md {}", read.error().line, read.error().reason));
  if (!is_same_json(read->json, skill.frontmatter)) {
    return refused_skill(skill, "the front matter of SKILL.md is not that of its entry");
  }
  return {};
}

/// The URI of a path in a skill that lists its files.
Result<std::string> listed_uri(const Skill& skill, const std::string& path) {
  const auto below = std::string(skill.directory()) + "/";
  const auto& files = *skill.files();
  const auto has_path = [&](const SkillFile& file) {
    const auto relative = std::string_view(file.uri).substr(std::min(below.size(), file.uri.size()));
    return file.uri.starts_with(below) && (relative == path || percent_decoded(relative) == path);
  };
  const auto found = std::ranges::find_if(files, has_path);
  if (found != files.end()) return found->uri;
  return fail(ErrorKind::invalid, fmt::format("the skill {} does not list a file '{}'", skill.uri, path));
}

/// The URI of a path in a dynamic skill.
Result<std::string> dynamic_uri(const Skill& skill, std::string_view path) {
  std::string uri(skill.directory());
  while (true) {
    const auto slash = path.find('/');
    const auto segment = path.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") {
      return fail(ErrorKind::invalid, "the path of a skill's file must be relative and without '.' and '..'");
    }
    uri += "/" + encode_segment(segment);
    if (slash == std::string_view::npos) return uri;
    path.remove_prefix(slash + 1);
  }
}

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw client::Failure(std::move(result.error()));
  return std::move(*result);
}

}  // namespace

Task<Result<std::vector<Skill>>> list_skills(client::Connection connection) {
  auto declared = co_await require_extension(connection);
  if (!declared) co_return std::unexpected(std::move(declared.error()));
  std::vector<Skill> all;
  std::set<std::string> seen;
  protocol::PaginatedParams params;
  while (true) {
    auto body = co_await connection.request("skills/list", json::to_payload(params), without_cache());
    if (!body) co_return std::unexpected(std::move(body.error()));
    auto page = json::decode<ListPage>(*body);
    if (!page) co_return std::unexpected(std::move(page.error()));
    std::ranges::move(page->skills, std::back_inserter(all));
    if (!page->nextCursor || page->nextCursor->empty()) co_return all;
    if (seen.size() >= max_pages || !seen.insert(*page->nextCursor).second) {
      co_return fail(ErrorKind::malformed, "the server's list of skills does not end");
    }
    params.cursor = std::move(page->nextCursor);
  }
}

Task<Result<Skill>> get_skill(client::Connection connection, std::string uri) {
  auto declared = co_await require_extension(connection);
  if (!declared) co_return std::unexpected(std::move(declared.error()));
  protocol::ResourceUriParams params{.uri = std::move(uri)};
  auto body = co_await connection.request("skills/get", json::to_payload(params), without_cache());
  if (!body) co_return std::unexpected(std::move(body.error()));
  auto result = json::decode<GetResult>(*body);
  if (!result) co_return std::unexpected(std::move(result.error()));
  co_return std::move(result->skill);
}

Task<Result<std::string>> load_skill(client::Connection connection, Skill skill) {
  if (auto checked = check_entry(skill); !checked) co_return std::unexpected(std::move(checked.error()));
  auto text = co_await fetch(connection, skill.uri);
  if (!text) co_return text;
  const auto* file = skill.find(skill.uri);
  auto verified = file ? verify(skill, *file, *text) : Result<void>();
  if (verified) verified = verify_frontmatter(skill, *text);
  if (!verified) co_return std::unexpected(std::move(verified.error()));
  co_return text;
}

Task<Result<std::string>> read_skill_file(client::Connection connection, Skill skill, std::string path) {
  if (auto checked = check_entry(skill); !checked) co_return std::unexpected(std::move(checked.error()));
  const auto uri = skill.files() ? listed_uri(skill, path) : dynamic_uri(skill, path);
  if (!uri) co_return std::unexpected(uri.error());
  auto bytes = co_await fetch(connection, *uri);
  const auto* file = skill.find(*uri);
  if (!bytes || !file) co_return bytes;
  auto verified = verify(skill, *file, *bytes);
  if (!verified) co_return std::unexpected(std::move(verified.error()));
  co_return bytes;
}

std::string LoadedSkill::read(std::string path) {
  return value_or_throw(client_->wait(read_skill_file(client_->async(), skill_, std::move(path))));
}

std::vector<Skill> list_skills(client::Client& client) {
  return value_or_throw(client.wait(list_skills(client.async())));
}

Skill get_skill(client::Client& client, std::string uri) {
  return value_or_throw(client.wait(get_skill(client.async(), std::move(uri))));
}

LoadedSkill load_skill(client::Client& client, Skill skill) {
  auto text = value_or_throw(client.wait(load_skill(client.async(), skill)));
  return {client, std::move(skill), std::move(text)};
}

}  // namespace fairlead::skills
