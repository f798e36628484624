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

std::optional<json::Payload> ResultCache::find(const std::string& method, const json::Payload& params) const {
  const auto of_method = entries_.find(method);
  if (of_method == entries_.end()) return std::nullopt;
  const auto found = of_method->second.find(params.text());
  if (found == of_method->second.end() || found->second.until.passed(clock_)) return std::nullopt;
  return found->second.result;
}

void ResultCache::store(const std::string& method, const json::Payload& params, const json::Payload& result) {
  // Upper limit, in case the server never invalidates the result.
  constexpr std::chrono::milliseconds longest = std::chrono::hours{24};
  const auto ttl = std::min(lifetime(result), longest);
  auto& of_method = entries_[method];
  if (ttl <= ttl.zero()) {
    of_method.erase(std::string(params.text()));
    return;
  }
  if (of_method.size() >= max_entries) evict();
  of_method.insert_or_assign(std::string(params.text()), CachedResult{result, Deadline::in(ttl, clock_)});
}

void ResultCache::evict() {
  for (auto& [method, results] : entries_) {
    std::erase_if(results, [&](const auto& entry) { return entry.second.until.passed(clock_); });
    if (results.size() >= max_entries) results.clear();
  }
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
  std::erase_if(reads->second, [&](const auto& entry) {
    return json::decode<std::string>(json::member_of(entry.first, "uri")).value_or("") == updated->uri;
  });
}

void ResultCache::erase(std::string_view method) {
  if (const auto found = entries_.find(method); found != entries_.end()) entries_.erase(found);
}

}  // namespace fairlead::client
