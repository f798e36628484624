#include "gateway/model/header_sets.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <utility>

#include "crypto/digest.hpp"
#include "crypto/random.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view headers_meta = "fairlead/headers";

}  // namespace

HeaderSets::HeaderSets() : key_(crypto::random_bytes(16)) {}

std::string HeaderSets::add(Headers headers, bool scoped) {
  auto all = key_ + (scoped ? "scoped" : "");
  for (const auto& [name, value] : headers) all += '\0' + name + ':' + value;
  auto name = crypto::sha256_hex(all);
  auto& entry = all_[name];
  entry.headers = std::move(headers);
  entry.scoped = scoped;
  ++entry.count;
  return name;
}

void HeaderSets::remove(const std::string& name) {
  const auto found = all_.find(name);
  if (found != all_.end() && --found->second.count == 0) all_.erase(found);
}

bool HeaderSets::any_is_scoped(const std::vector<std::string>& names) const {
  return std::ranges::any_of(names, [&](const auto& name) {
    const auto found = all_.find(name);
    return found != all_.end() && found->second.scoped;
  });
}

HeaderSets::Headers HeaderSets::find(const std::vector<std::string>& names) const {
  Headers together;
  for (const auto& name : names) {
    const auto found = all_.find(name);
    if (found == all_.end()) continue;
    for (const auto& header : found->second.headers) put_header(together, header);
  }
  return together;
}

std::vector<std::string> HeaderSets::requested_by(const json::Payload& params) const {
  if (!requests_headers(params)) return {};
  const auto names = json::member_of(json::member_of(params.text(), "_meta"), headers_meta);
  if (!names.starts_with('[')) return {};
  auto known = json::decode<std::vector<std::string>>(names).value_or(std::vector<std::string>());
  std::erase_if(known, [&](const auto& name) { return !contains(name); });
  return known;
}

void put_header(HeaderSets::Headers& headers, const protocol::Header& header) {
  const auto same = [&](const auto& other) { return protocol::same_header(other.name, header.name); };
  std::erase_if(headers, same);
  headers.push_back(header);
}

json::Payload with_requested_headers(const json::Payload& params, const std::vector<std::string>& names) {
  json::ObjectEdit whole(params.text());
  json::ObjectEdit meta(whole.get("_meta"));
  names.empty() ? meta.erase(headers_meta) : meta.set(headers_meta, json::encode(names));
  meta.empty() ? whole.erase("_meta") : whole.set("_meta", meta.text());
  return json::Payload::trusted(whole.text());
}

std::string_view requested_headers_text(const json::ObjectEdit& params) {
  return json::member_of(params.get("_meta"), headers_meta);
}

bool requests_headers(const json::Payload& params) {
  return params.text().find(headers_meta) != std::string_view::npos;
}

}  // namespace fairlead::gateway
