#include "protocol/revision/codec_stateless.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <tuple>
#include <utility>

#include "protocol/revision/envelope.hpp"

namespace fairlead::protocol {
namespace {

using json::ObjectEdit;

std::string_view kind_name(const ResultStamp& stamp) {
  switch (stamp.kind) {
    case ResultKind::complete: return "complete";
    case ResultKind::input_required: return "input_required";
    case ResultKind::other: break;
  }
  return stamp.other_kind;
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

/// A server's words for `_meta`, once made.
struct Signature {
  std::optional<Implementation> server;
  std::string info = {};
  std::string alone = {};  // A `_meta` with nothing else in it.

  explicit Signature(Implementation who) : server(std::move(who)), info(json::encode(*server)) {
    alone = ObjectEdit("").set(meta::server_info, info).text();
  }
  Signature() = default;
};

// The answer to the question who a server is says everything; every other result names it only, as the schema demands:
// icons and descriptions would outweigh most results.
const Signature& signature_of(const Implementation& server, bool whole) {
  thread_local Signature last_whole;
  thread_local Signature last_name;
  auto& last = whole ? last_whole : last_name;
  const bool same = last.server && (whole ? is_same(*last.server, server)
                                          : last.server->name == server.name && last.server->version == server.version);
  if (!same) last = Signature(whole ? server : Implementation{.name = server.name, .version = server.version});
  return last;
}

// Every result of a server is signed with the same words, and most have no `_meta` of their own.
std::string signed_meta(std::string_view meta, const ResultStamp& stamp) {
  const auto& signature = signature_of(*stamp.server, stamp.method == Discover::method);
  return meta.empty() ? signature.alone : ObjectEdit(meta).set(meta::server_info, signature.info).text();
}

/// What a result says of its server, and what else there is in its `_meta`.
struct SignedMeta {
  std::string meta = {};
  std::shared_ptr<const Implementation> server = {};
  bool is_signed = false;
  std::string rest = {};  // Empty if nothing remains.
};

SignedMeta read_signature(std::string_view text) {
  SignedMeta read{.meta = std::string(text)};
  ObjectEdit meta(text);
  if (const auto info = meta.get(meta::server_info); !info.empty()) {
    read.is_signed = true;
    if (auto server = json::decode<Implementation>(info)) {
      read.server = std::make_shared<const Implementation>(std::move(*server));
    }
    meta.erase(meta::server_info);
  }
  if (!meta.empty()) read.rest = meta.text();
  return read;
}

// Every result of a server comes with the same signature, and most with nothing else.
SignedMeta& last_signature() {
  thread_local SignedMeta last;
  return last;
}

const SignedMeta& signature_in(std::string_view meta) {
  auto& last = last_signature();
  if (last.meta != meta) last = read_signature(meta);
  return last;
}

// A client says the same of itself in every request, and few requests have a `_meta` of their own.
std::string enveloped(std::string_view own_meta, const std::shared_ptr<const Caller>& caller) {
  const auto put = [&](ObjectEdit meta) {
    meta.set(meta::protocol_version, json::encode(caller->revision));
    meta.set(meta::client_capabilities, json::encode(caller->capabilities));
    if (caller->info) meta.set(meta::client_info, json::encode(*caller->info));
    if (caller->log_level) meta.set(meta::log_level, json::encode(*caller->log_level));
    return meta.text();
  };
  if (!own_meta.empty()) return put(ObjectEdit(own_meta));
  struct Known {
    std::shared_ptr<const Caller> caller;  // Kept, so that its address is nobody else's.
    std::string alone;
  };
  thread_local Known last;
  if (last.caller != caller) last = {caller, put(ObjectEdit(""))};
  return last.alone;
}

// For a `_meta` that says more than who is calling.
std::string without_envelope(std::string_view params, json::Span meta) {
  ObjectEdit rest(meta.in(params));
  for (const auto key : meta::envelope) rest.erase(key);
  return std::string(params.substr(0, meta.begin)) + rest.text() + std::string(params.substr(meta.begin + meta.size));
}

/// Where in a result its server has put what is none of the result's.
struct Stamp {
  json::Span type;
  json::Span meta;
};

Stamp stamp_in(std::string_view result) {
  Stamp stamp;
  if (result.empty()) return stamp;
  json::Reader reader(result);
  if (reader.kind() != json::Kind::object) return stamp;
  for (reader.open(); reader.more();) {
    const auto name = reader.key();
    auto* place = name == "resultType" ? &stamp.type : name == "_meta" ? &stamp.meta : nullptr;
    const auto value = place == &stamp.meta ? reader.skip(last_signature().meta) : reader.skip();
    if (place) *place = {static_cast<std::size_t>(value.data() - result.data()), value.size()};
  }
  return stamp;
}

// Nearly every result says nothing yet of what is put on it: then that goes behind what it says.
bool is_unstamped(std::string_view result) {
  json::Reader reader(result);
  if (reader.kind() != json::Kind::object) return false;
  for (reader.open(); reader.more(); reader.skip()) {
    const auto name = reader.key();
    if (name == "resultType" || name == "_meta" || name == "ttlMs" || name == "cacheScope") return false;
  }
  return true;
}

class StatelessCodec final : public EraCodec {
 public:
  Result<LiftedRequest> lift_request(const Payload& params, json::Span meta) const override {
    const auto& envelope = envelope_in(meta.in(params.text()));
    auto caller = caller_of(envelope);
    if (!caller) return std::unexpected(std::move(caller.error()));
    auto text = envelope.alone ? json::without_member(params.text(), meta) : without_envelope(params.text(), meta);
    return LiftedRequest{.caller = std::move(*caller), .params = Payload::trusted(std::move(text))};
  }

  Payload lower_request(const Payload& params, const std::shared_ptr<const Caller>& caller) const override {
    const auto meta = json::member_of(params, "_meta");
    if (meta.empty()) return Payload::trusted(json::with_member(params.text(), "_meta", enveloped({}, caller)));
    return Payload::trusted(ObjectEdit(params.text()).set("_meta", enveloped(meta, caller)).text());
  }

  // A missing resultType counts as complete, as the specification asks of clients.
  Result<LiftedResult> lift_result(Payload result) const override {
    const auto stamp = stamp_in(result.text());
    LiftedResult lifted;
    if (const auto type = stamp.type.in(result.text()); !type.empty() && type != R"("complete")") {
      auto name = json::decode<std::string>(type);
      if (!name) return fail(ErrorKind::malformed, "resultType: " + name.error().message);
      if (*name == "input_required") {
        lifted.kind = ResultKind::input_required;
      } else if (*name != "complete") {
        lifted.kind = ResultKind::other;
        lifted.other_kind = std::move(*name);
      }
    }
    auto gone = stamp;
    if (stamp.meta) {
      const auto& signature = signature_in(stamp.meta.in(result.text()));
      lifted.server = signature.server;
      if (!signature.is_signed) {
        gone.meta = {};
      } else if (!signature.rest.empty()) {
        lifted.body =
            Payload::trusted(ObjectEdit(result.text()).erase("resultType").set("_meta", signature.rest).text());
        return lifted;
      }
    }
    // The one behind first, so that the other stays where it is.
    if (gone.type.begin < gone.meta.begin) std::swap(gone.type, gone.meta);
    if (gone.type) json::erase_member(result, gone.type);
    if (gone.meta) json::erase_member(result, gone.meta);
    lifted.body = std::move(result);
    return lifted;
  }

  Payload lower_result(Payload body, const ResultStamp& stamp, const Revision& revision) const override {
    const bool cacheable = stamp.kind == ResultKind::complete && revision.cacheable.contains(stamp.method);
    if (!body.empty() && is_unstamped(body.text())) return stamped(body.text(), stamp, cacheable);
    ObjectEdit whole(body.text());
    std::string kind;
    json::write_string(kind, kind_name(stamp));
    whole.set("resultType", std::move(kind));
    if (cacheable) {
      if (whole.get("ttlMs").empty()) whole.set("ttlMs", "0");
      if (whole.get("cacheScope").empty()) whole.set("cacheScope", R"("private")");
    }
    if (stamp.server) whole.set("_meta", signed_meta(whole.get("_meta"), stamp));
    return Payload::trusted(whole.text());
  }

 private:
  static Payload stamped(std::string_view body, const ResultStamp& stamp, bool cacheable) {
    const auto meta = stamp.server ? signed_meta({}, stamp) : std::string();
    constexpr std::size_t enough = 96;
    std::string text;
    text.reserve(body.size() + meta.size() + stamp.other_kind.size() + enough);
    text.append(body, 0, body.rfind('}'));
    text += json::Reader(body.substr(1)).at_end() ? R"("resultType":)" : R"(,"resultType":)";
    json::write_string(text, kind_name(stamp));
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
