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

void append(std::vector<http::Header>& headers, std::vector<http::Header> more) {
  headers.insert(headers.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool fits_a_field(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool has_trace(std::string_view meta) {
  if (meta.empty() || protocol::is_mere_envelope(meta)) return false;
  return std::ranges::any_of(protocol::meta::trace, [&](auto key) { return !json::member_of(meta, key).empty(); });
}

// What a request says of its trace is said in headers too, for whoever does not look into bodies.
void append_trace(std::vector<http::Header>& headers, std::string_view meta) {
  if (!has_trace(meta)) return;
  for (const auto key : protocol::meta::trace) {
    auto value = text_member(meta, key);
    if (value && fits_a_field(*value)) headers.push_back({std::string(key), std::move(*value)});
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

void StreamableClient::State::add_common_headers(std::vector<http::Header>& headers) const {
  headers.insert(headers.end(), options.headers.begin(), options.headers.end());
  if (!options.bearer.empty()) headers.push_back({"Authorization", "Bearer " + options.bearer});
  if (agreed && agreed->version_header) {
    headers.push_back({std::string(protocol::header::protocol_version), std::string(agreed->name)});
  }
}

Result<std::vector<http::Header>> StreamableClient::State::headers_for(const Post& post) const {
  constexpr std::size_t usual = 8;
  std::vector<http::Header> headers;
  headers.reserve(usual + options.headers.size());
  headers.emplace_back("Content-Type", std::string(json_type));
  headers.emplace_back("Accept", "application/json, text/event-stream");
  add_common_headers(headers);
  const auto* sent = params_of(post.message);
  const auto params = sent ? sent->text() : std::string_view();
  append_trace(headers, post.landmarks.meta.in(params));
  if (!post.stateless) {
    const bool opens = post.method == protocol::Initialize::method;
    if (!session.empty() && !opens) headers.push_back({std::string(protocol::header::session_id), session});
    return headers;
  }
  headers.push_back({std::string(protocol::header::protocol_version), std::string(post.stateless->name)});
  if (!post.stateless->method_headers || !post.id) return headers;
  const auto name = sent ? routed_name(post.method, *sent, post.landmarks) : std::nullopt;
  append(headers, protocol::routing_headers(post.method, name));
  if (post.method != protocol::CallTool::method || !name) return headers;
  auto mirrored = tools.headers(*name, params);
  if (!mirrored) return std::unexpected(std::move(mirrored.error()));
  append(headers, std::move(*mirrored));
  return headers;
}

// What of a request its head repeats; nothing where that is not the same for many.
std::optional<StreamableClient::State::HeadKey> StreamableClient::State::key_of(const Post& post) {
  const auto* sent = params_of(post.message);
  const auto params = sent ? sent->text() : std::string_view();
  if (has_trace(post.landmarks.meta.in(params))) return std::nullopt;
  if (!post.stateless || !post.stateless->method_headers) return HeadKey{post.stateless, "", ""};
  HeadKey key{post.stateless, post.method, ""};
  const auto member = protocol::routed_member(post.method);
  if (!member) return key;
  constexpr std::size_t usual = 128;
  key.name = post.landmarks.name.in(params);
  return *member == "name" && key.name.size() <= usual ? std::optional(key) : std::nullopt;
}

std::shared_ptr<const http::PostHead> StreamableClient::State::head_for(const Post& post) {
  if (heads.session != session || heads.agreed != agreed) heads = {.session = session, .agreed = agreed};
  const auto key = key_of(post);
  if (key) {
    for (const auto& [method, name, stateless, head] : heads.known) {
      if (stateless == key->stateless && method == key->method && name == key->name) return head;
    }
  }
  auto headers = headers_for(post);
  auto head = headers ? client.write_post(options.url, std::move(*headers)) : nullptr;
  if (!key || !head || tools.has_marks(key->name)) return head;
  constexpr std::size_t most = 32;
  if (heads.known.size() == most) heads.known.clear();
  heads.known.push_back({std::string(key->method), std::string(key->name), key->stateless, head});
  return head;
}

std::vector<http::Header> StreamableClient::State::get_headers(const Cursor& cursor) const {
  std::vector<http::Header> headers{{"Accept", "text/event-stream"}};
  add_common_headers(headers);
  if (!session.empty()) headers.push_back({std::string(protocol::header::session_id), session});
  if (!cursor.last_id.empty()) headers.push_back({std::string(protocol::header::last_event_id), cursor.last_id});
  return headers;
}

}  // namespace fairlead::transport
