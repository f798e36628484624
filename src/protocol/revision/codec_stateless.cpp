#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <tuple>
#include <utility>

#include "base/last_value.hpp"
#include "protocol/revision/codecs.hpp"
#include "protocol/revision/envelope.hpp"

namespace fairlead::protocol {
namespace {

using json::ObjectEdit;

std::string_view kind_name(const ResultEnvelope& envelope) {
  switch (envelope.kind) {
    case ResultKind::complete: return "complete";
    case ResultKind::input_required: return "input_required";
    case ResultKind::other: break;
  }
  return envelope.other_kind;
}

bool is_same(const Icon& a, const Icon& b) {
  static_assert(json::Members<Icon>::count == 5);
  return std::tie(a.src, a.mimeType, a.sizes, a.theme, a.extra) ==
         std::tie(b.src, b.mimeType, b.sizes, b.theme, b.extra);
}

bool is_same(const Implementation& a, const Implementation& b) {
  static_assert(json::Members<Implementation>::count == 7);
  const auto words = [](const Implementation& it) {
    return std::tie(it.name, it.title, it.version, it.description, it.websiteUrl, it.extra);
  };
  if (words(a) != words(b) || a.icons.has_value() != b.icons.has_value()) return false;
  return !a.icons || std::ranges::equal(*a.icons, *b.icons, [](const auto& x, const auto& y) { return is_same(x, y); });
}

/// A server's info encoded for `_meta`.
struct EncodedServerInfo {
  explicit EncodedServerInfo(const Implementation& server) : info(json::encode(server)) {
    alone = ObjectEdit("").set(meta::server_info, info).text();
  }

  std::string info;
  std::string alone = {};  // A `_meta` with only the server info.
};

// server/discover returns all server info. Other results contain only name and version, which the schema requires:
// icons and descriptions would be larger than most results.
const EncodedServerInfo& encoded_server_info(const ResultEnvelope& envelope) {
  const auto& server = *envelope.server;
  using Same = decltype([](const Implementation& a, const Implementation& b) { return is_same(a, b); });
  using SameName = decltype([](const Implementation& a, const Implementation& b) {
    return a.name == b.name && a.version == b.version;
  });
  thread_local LastValue<Implementation, EncodedServerInfo, Same> last_whole;
  thread_local LastValue<Implementation, EncodedServerInfo, SameName> last_name;
  if (envelope.method == Discover::method)
    return last_whole.get(server, [](const Implementation& all) { return EncodedServerInfo(all); });
  return last_name.get(
      server, [](const Implementation& all) { return EncodedServerInfo({.name = all.name, .version = all.version}); });
}

// Cached: the server info is the same in every result, and most results have no other `_meta`.
std::string meta_with_server_info(std::string_view meta, const ResultEnvelope& envelope) {
  const auto& server_info = encoded_server_info(envelope);
  return meta.empty() ? server_info.alone : ObjectEdit(meta).set(meta::server_info, server_info.info).text();
}

/// The server info and the other members of a result's `_meta`.
struct ParsedResultMeta {
  std::shared_ptr<const Implementation> server = {};
  bool has_server_info = false;
  std::string rest = {};  // The other members; empty for none.
};

ParsedResultMeta parse_result_meta(std::string_view text) {
  ParsedResultMeta read;
  ObjectEdit meta(text);
  if (const auto info = meta.get(meta::server_info); !info.empty()) {
    read.has_server_info = true;
    if (auto server = json::decode<Implementation>(info)) {
      read.server = std::make_shared<const Implementation>(std::move(*server));
    }
    meta.erase(meta::server_info);
  }
  if (!meta.empty()) read.rest = meta.text();
  return read;
}

// Cached: a server sends the same `_meta` with most results.
LastValue<std::string, ParsedResultMeta>& last_result_meta() {
  thread_local LastValue<std::string, ParsedResultMeta> last;
  return last;
}

const ParsedResultMeta& result_meta(std::string_view meta) {
  return last_result_meta().get(meta, parse_result_meta);
}

// Cached: client information is the same in every request, and few requests have another `_meta`.
std::string meta_with_identity(std::string_view own_meta, const std::shared_ptr<const ClientIdentity>& caller) {
  const auto put = [&](ObjectEdit meta) {
    meta.set(meta::protocol_version, json::encode(caller->revision));
    meta.set(meta::client_capabilities, json::encode(caller->capabilities));
    if (caller->info) meta.set(meta::client_info, json::encode(*caller->info));
    if (caller->log_level) meta.set(meta::log_level, json::encode(*caller->log_level));
    return meta.text();
  };
  if (!own_meta.empty()) return put(ObjectEdit(own_meta));
  // Owns the identity, so that its address is not reused.
  thread_local LastValue<std::shared_ptr<const ClientIdentity>, std::string> last;
  return last.get(caller, [&](const auto&) { return put(ObjectEdit("")); });
}

// For a `_meta` with other members than client information.
std::string without_envelope(std::string_view params, json::Span meta) {
  ObjectEdit rest(meta.in(params));
  for (const auto key : meta::envelope) rest.erase(key);
  return std::string(params.substr(0, meta.begin)) + rest.text() + std::string(params.substr(meta.begin + meta.size));
}

/// Positions of the members that the era adds to a result.
struct EnvelopeSpans {
  json::Span type;
  json::Span meta;
};

EnvelopeSpans envelope_spans(std::string_view result) {
  EnvelopeSpans envelope;
  if (result.empty()) return envelope;
  json::Reader reader(result);
  if (reader.kind() != json::Kind::object) return envelope;
  for (reader.open(); reader.more();) {
    const auto name = reader.key();
    auto* span = name == "resultType" ? &envelope.type : name == "_meta" ? &envelope.meta : nullptr;
    const auto value = span == &envelope.meta ? reader.skip(last_result_meta().key()) : reader.skip();
    if (span) *span = {static_cast<std::size_t>(value.data() - result.data()), value.size()};
  }
  return envelope;
}

// True if a result has none of the members that the era adds: they can then be appended.
bool has_no_envelope(const Payload& result) {
  constexpr auto added = json::name_bits({"resultType", "_meta", "ttlMs", "cacheScope"});
  if (!result.may_contain_any(added)) return true;
  json::Reader reader(result.text());
  if (reader.kind() != json::Kind::object) return false;
  for (reader.open(); reader.more(); reader.skip()) {
    const auto name = reader.key();
    if (name == "resultType" || name == "_meta" || name == "ttlMs" || name == "cacheScope") return false;
  }
  return true;
}

class StatelessCodec final : public EraCodec {
 public:
  Result<DecodedRequest> decode_request(Payload params, json::Span meta) const override {
    const auto& envelope = envelope_in(meta.in(params.text()));
    auto caller = client_identity(envelope);
    if (!caller) return std::unexpected(std::move(caller.error()));
    if (envelope.is_only) {
      json::erase_member(params, meta);
    } else {
      params = Payload::trusted(without_envelope(params.text(), meta));
    }
    return DecodedRequest{.caller = std::move(*caller), .params = std::move(params)};
  }

  Payload encode_request(const Payload& params, const std::shared_ptr<const ClientIdentity>& caller) const override {
    const auto meta = json::member_of(params, "_meta");
    if (meta.empty())
      return Payload::trusted(json::with_member(params.text(), "_meta", meta_with_identity({}, caller)));
    return Payload::trusted(ObjectEdit(params.text()).set("_meta", meta_with_identity(meta, caller)).text());
  }

  // A missing resultType counts as complete, as the specification requires of clients.
  Result<DecodedResult> decode_result(Payload result) const override {
    const auto envelope = envelope_spans(result.text());
    DecodedResult decoded;
    if (const auto type = envelope.type.in(result.text()); !type.empty() && type != R"("complete")") {
      auto name = json::decode<std::string>(type);
      if (!name) return fail(ErrorKind::malformed, "resultType: " + name.error().message);
      if (*name == "input_required") {
        decoded.kind = ResultKind::input_required;
      } else if (*name != "complete") {
        decoded.kind = ResultKind::other;
        decoded.other_kind = std::move(*name);
      }
    }
    auto gone = envelope;
    if (envelope.meta) {
      const auto& server_info = result_meta(envelope.meta.in(result.text()));
      decoded.server = server_info.server;
      if (!server_info.has_server_info) {
        gone.meta = {};
      } else if (!server_info.rest.empty()) {
        decoded.body =
            Payload::trusted(ObjectEdit(result.text()).erase("resultType").set("_meta", server_info.rest).text());
        return decoded;
      }
    }
    // The later one first, so that the offset of the other stays valid.
    if (gone.type.begin < gone.meta.begin) std::swap(gone.type, gone.meta);
    if (gone.type) json::erase_member(result, gone.type);
    if (gone.meta) json::erase_member(result, gone.meta);
    decoded.body = std::move(result);
    return decoded;
  }

  Payload encode_result(Payload body, const ResultEnvelope& envelope, const Revision& revision) const override {
    const bool cacheable = envelope.kind == ResultKind::complete && is_cacheable(revision, envelope.method);
    if (!body.empty() && has_no_envelope(body)) return with_envelope(body.text(), envelope, cacheable);
    ObjectEdit whole(body.text());
    std::string kind;
    json::write_string(kind, kind_name(envelope));
    whole.set("resultType", std::move(kind));
    if (cacheable) {
      if (whole.get("ttlMs").empty()) whole.set("ttlMs", "0");
      if (whole.get("cacheScope").empty()) whole.set("cacheScope", R"("private")");
    }
    if (envelope.server) whole.set("_meta", meta_with_server_info(whole.get("_meta"), envelope));
    return Payload::trusted(whole.text());
  }

 private:
  static Payload with_envelope(std::string_view body, const ResultEnvelope& envelope, bool cacheable) {
    const auto meta = envelope.server ? std::string_view(encoded_server_info(envelope).alone) : std::string_view();
    constexpr std::size_t enough = 96;
    std::string text;
    text.reserve(body.size() + meta.size() + envelope.other_kind.size() + enough);
    text.append(body, 0, body.rfind('}'));
    text += json::Reader(body.substr(1)).at_end() ? R"("resultType":)" : R"(,"resultType":)";
    json::write_string(text, kind_name(envelope));
    if (cacheable) text += R"(,"ttlMs":0,"cacheScope":"private")";
    if (!meta.empty()) (text += R"(,"_meta":)") += meta;
    text += '}';
    return Payload::trusted(std::move(text));
  }
};

}  // namespace

const EraCodec& stateless_codec() {
  static const StatelessCodec codec;
  return codec;
}

}  // namespace fairlead::protocol
