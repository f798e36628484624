#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "transport/http_client/authorized_request.hpp"
#include "transport/http_client/streamable_state.hpp"
#include "transport/mcp_name_header.hpp"

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

void append(std::vector<http::Header>& headers, std::vector<http::Header> more) {
  headers.insert(headers.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool fits_a_field(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool has_trace(std::string_view meta) {
  if (meta.empty() || protocol::is_envelope_only(meta)) return false;
  return std::ranges::any_of(protocol::meta::trace, [&](auto key) { return !json::member_of(meta, key).empty(); });
}

// Repeats the trace context of `_meta` in headers, for proxies.
void append_trace(std::vector<http::Header>& headers, std::string_view meta) {
  if (!has_trace(meta)) return;
  for (const auto key : protocol::meta::trace) {
    auto value = text_member(meta, key);
    if (value && fits_a_field(*value)) headers.push_back({std::string(key), std::move(*value)});
  }
}

}  // namespace

PostedMessage::PostedMessage(jsonrpc::Message&& sent) : message(std::move(sent)) {
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) id = request->id;
  method = method_of(message);
  if (const auto* params = params_of(message); params && params->may_contain("_meta")) {
    param_spans = jsonrpc::locate_params(*params);
    stateless = revision_in(param_spans.meta.in(params->text()));
  }
}

std::string_view method_of(const jsonrpc::Message& message) {
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) return request->method;
  const auto* notice = std::get_if<jsonrpc::Notification>(&message);
  return notice ? std::string_view(notice->method) : std::string_view();
}

void StreamableClientState::add_common_headers(std::vector<http::Header>& headers) const {
  headers.insert(headers.end(), options.headers.begin(), options.headers.end());
  if (!options.bearer.empty()) headers.push_back({"Authorization", "Bearer " + options.bearer});
  if (agreed && agreed->version_header) {
    headers.push_back({std::string(protocol::header::protocol_version), std::string(agreed->name)});
  }
}

Result<std::vector<http::Header>> StreamableClientState::headers_for(const PostedMessage& post) const {
  constexpr std::size_t usual = 8;
  std::vector<http::Header> headers;
  headers.reserve(usual + options.headers.size());
  headers.emplace_back("Content-Type", std::string(json_type));
  headers.emplace_back("Accept", "application/json, text/event-stream");
  add_common_headers(headers);
  const auto* sent = params_of(post.message);
  const auto params = sent ? sent->text() : std::string_view();
  append_trace(headers, post.param_spans.meta.in(params));
  if (!post.stateless) {
    const bool opens = post.method == protocol::Initialize::method;
    if (!session.empty() && !opens) headers.push_back({std::string(protocol::header::session_id), session});
    return headers;
  }
  headers.push_back({std::string(protocol::header::protocol_version), std::string(post.stateless->name)});
  if (!post.stateless->method_headers || !post.id) return headers;
  const auto name = sent ? mcp_name_header(post.method, *sent, post.param_spans) : std::nullopt;
  append(headers, protocol::routing_headers(post.method, name));
  if (post.method != protocol::CallTool::method || !name) return headers;
  auto mirrored = tools.headers(*name, params);
  if (!mirrored) return std::unexpected(std::move(mirrored.error()));
  append(headers, std::move(*mirrored));
  return headers;
}

// Cache key of a request head; nothing if the head is specific to one request.
std::optional<StreamableClientState::HeadKey> StreamableClientState::key_of(const PostedMessage& post) {
  const auto* sent = params_of(post.message);
  const auto params = sent ? sent->text() : std::string_view();
  // `initialize` is sent without the session.
  if (post.method == protocol::Initialize::method || has_trace(post.param_spans.meta.in(params))) return std::nullopt;
  if (!post.stateless || !post.stateless->method_headers) return HeadKey{post.stateless, "", ""};
  HeadKey key{post.stateless, post.method, ""};
  const auto member = protocol::mcp_name_member(post.method);
  if (!member) return key;
  constexpr std::size_t usual = 128;
  key.name = post.param_spans.name.in(params);
  return *member == "name" && key.name.size() <= usual ? std::optional(key) : std::nullopt;
}

Result<std::shared_ptr<const http::PreparedRequestHead>> StreamableClientState::head_for(
    const PostedMessage& post, const auth::Credential& credential) {
  if (heads.session != session || heads.agreed != agreed || heads.credential != credential.generation) {
    heads = {.session = session, .agreed = agreed, .credential = credential.generation};
  }
  // With DPoP each request has its own proof.
  const auto key = credential.dpop ? std::nullopt : key_of(post);
  if (key) {
    for (const auto& [method, name, stateless, head] : heads.entries) {
      if (stateless == key->stateless && method == key->method && name == key->name) return head;
    }
  }
  auto headers = headers_for(post);
  if (!headers) return std::unexpected(std::move(headers.error()));
  auto added = auth::add_authorization(*headers, credential, "POST", options.url);
  if (!added) return std::unexpected(std::move(added.error()));
  auto head = client.prepare_post(options.url, std::move(*headers));
  if (!key || !head || tools.has_header_params(key->name)) return head;
  constexpr std::size_t most = 32;
  if (heads.entries.size() == most) heads.entries.clear();
  heads.entries.push_back({std::string(key->method), std::string(key->name), key->stateless, *head});
  return head;
}

Task<Result<std::unique_ptr<http::ResponseStream>>> StreamableClientState::open_post(
    const PostedMessage& post, const auth::Credential& credential) {
  auto head = head_for(post, credential);
  if (!head) return Result<std::unique_ptr<http::ResponseStream>>(std::unexpected(std::move(head.error())));
  return client.open({.body = jsonrpc::write(post.message), .prepared = std::move(*head)});
}

Task<Result<std::unique_ptr<http::ResponseStream>>> StreamableClientState::open_without_body(
    std::string method, std::vector<http::Header> headers, Deadline deadline) {
  http::ClientRequest request{.method = std::move(method), .url = options.url, .headers = std::move(headers)};
  request.deadline = deadline;
  return open_authorized(loop, client, options, std::move(request));
}

std::vector<http::Header> StreamableClientState::get_headers(const ResumePoint& resume_point) const {
  std::vector<http::Header> headers{{"Accept", "text/event-stream"}};
  add_common_headers(headers);
  if (!session.empty()) headers.push_back({std::string(protocol::header::session_id), session});
  if (!resume_point.last_id.empty())
    headers.push_back({std::string(protocol::header::last_event_id), resume_point.last_id});
  return headers;
}

}  // namespace fairlead::transport
