#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "transport/http_client/streamable_state.hpp"
#include "transport/routed_name.hpp"

namespace fairlead::transport {
namespace {

const json::Payload* params_of(const jsonrpc::Message& message) {
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) return &request->params;
  if (const auto* notice = std::get_if<jsonrpc::Notification>(&message)) return &notice->params;
  return nullptr;
}

std::optional<std::string> text_member(std::string_view object, std::string_view name) {
  const auto json = json::member_of(object, name);
  if (json.empty()) return std::nullopt;
  auto text = json::decode<std::string>(json);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

const protocol::Revision* revision_in(std::string_view meta) {
  const auto version = protocol::claimed_version(meta);
  return version ? protocol::find_revision(*version) : nullptr;
}

bool fits_a_field(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// What a request says of its trace is said in headers too, for whoever does not look into bodies.
void add_trace(HeaderViews& headers, std::string_view meta) {
  if (meta.empty() || protocol::is_mere_envelope(meta)) return;
  for (const auto key : protocol::meta::trace) {
    auto value = text_member(meta, key);
    if (value && fits_a_field(*value)) headers.keep({std::string(key), std::move(*value)});
  }
}

}  // namespace

std::unique_ptr<Post> StreamableClient::State::prepare(jsonrpc::Message&& message) {
  auto made = std::make_unique<Post>(std::move(message));
  auto& post = *made;
  if (const auto* request = std::get_if<jsonrpc::Request>(&post.message)) {
    post.id = request->id;
    post.method = request->method;
  } else if (const auto* notice = std::get_if<jsonrpc::Notification>(&post.message)) {
    post.method = notice->method;
  }
  if (const auto* params = params_of(post.message)) {
    post.landmarks = jsonrpc::find_landmarks(*params);
    post.stateless = revision_in(post.landmarks.meta.in(params->text()));
  }
  return made;
}

void StreamableClient::State::add_common_headers(HeaderViews& headers) const {
  headers.add(options.headers);
  if (!authorization.empty()) headers.add("Authorization", authorization);
  if (agreed && agreed->version_header) headers.add(protocol::header::protocol_version, agreed->name);
}

Result<void> StreamableClient::State::headers_for(const Post& post, HeaderViews& headers) const {
  headers.add("Content-Type", json_type);
  headers.add("Accept", "application/json, text/event-stream");
  add_common_headers(headers);
  const auto* sent = params_of(post.message);
  const auto params = sent ? sent->text() : std::string_view();
  add_trace(headers, post.landmarks.meta.in(params));
  if (!post.stateless) {
    const bool opens = post.method == protocol::Initialize::method;
    if (!session.empty() && !opens) headers.add(protocol::header::session_id, session);
    return {};
  }
  headers.add(protocol::header::protocol_version, post.stateless->name);
  if (!post.stateless->method_headers || !post.id) return {};
  const auto name = sent ? routed_name(post.method, *sent, post.landmarks) : std::nullopt;
  for (auto& header : protocol::routing_headers(post.method, name)) headers.keep(std::move(header));
  if (post.method != protocol::CallTool::method || !name) return {};
  auto mirrored = tools.headers(*name, params);
  if (!mirrored) return std::unexpected(std::move(mirrored.error()));
  for (auto& header : *mirrored) headers.keep(std::move(header));
  return {};
}

std::vector<http::Header> StreamableClient::State::get_headers(const Cursor& cursor) const {
  HeaderViews headers;
  headers.add("Accept", "text/event-stream");
  add_common_headers(headers);
  if (!session.empty()) headers.add(protocol::header::session_id, session);
  if (!cursor.last_id.empty()) headers.add(protocol::header::last_event_id, cursor.last_id);
  return headers.copies();
}

}  // namespace fairlead::transport
