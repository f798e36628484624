#include "client/result_cache.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>

namespace fairlead::client {
namespace {

std::chrono::milliseconds lifetime(const json::Payload& result) {
  const auto ttl = json::member_of(result.text(), "ttlMs");
  if (ttl.empty()) return {};
  return std::chrono::milliseconds(json::decode<std::int64_t>(ttl).value_or(0));
}

}  // namespace

std::optional<json::Payload> ResultCache::find(const std::string& method, const json::Payload& params) {
  const auto of_method = entries_.find(method);
  const auto* found = of_method == entries_.end() ? nullptr : of_method->second.find(params.text());
  return found && !found->until.passed(clock_) ? std::optional(found->result) : std::nullopt;
}

void ResultCache::store(const std::string& method, const json::Payload& params, const json::Payload& result) {
  // Upper limit, in case the server never invalidates the result.
  constexpr std::chrono::milliseconds longest = std::chrono::hours{24};
  const auto ttl = std::min(lifetime(result), longest);
  auto& of_method = entries_.try_emplace(method, LruLimits{.entries = max_entries}).first->second;
  of_method.take(params.text());
  if (ttl > ttl.zero()) of_method.put(std::string(params.text()), {result, Deadline::in(ttl, clock_)});
}

void ResultCache::on_notification(std::string_view method, const json::Payload& params) {
  if (method == protocol::ToolListChanged::method) erase(protocol::ListTools::method);
  if (method == protocol::PromptListChanged::method) erase(protocol::ListPrompts::method);
  if (method == protocol::ResourceListChanged::method) {
    erase(protocol::ListResources::method);
    erase(protocol::ListResourceTemplates::method);
  }
  if (method != protocol::ResourceUpdated::method) return;
  const auto updated = json::decode<protocol::ResourceUriParams>(params);
  const auto reads = entries_.find(protocol::ReadResource::method);
  if (!updated || reads == entries_.end()) return;
  reads->second.erase_if([&](const std::string& read, const CachedResult&) {
    return json::decode<std::string>(json::member_of(read, "uri")).value_or("") == updated->uri;
  });
}

void ResultCache::erase(std::string_view method) {
  if (const auto found = entries_.find(method); found != entries_.end()) entries_.erase(found);
}

}  // namespace fairlead::client
