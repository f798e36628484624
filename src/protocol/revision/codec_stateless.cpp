#include "protocol/revision/codec_stateless.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <tuple>

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
  static_assert(json::Members<Icon>::count == 4);
  return std::tie(a.src, a.mimeType, a.sizes, a.theme) == std::tie(b.src, b.mimeType, b.sizes, b.theme);
}

bool is_same(const Implementation& a, const Implementation& b) {
  static_assert(json::Members<Implementation>::count == 6);
  const auto words = [](const Implementation& it) {
    return std::tie(it.name, it.title, it.version, it.description, it.websiteUrl);
  };
  if (words(a) != words(b) || a.icons.has_value() != b.icons.has_value()) return false;
  return !a.icons || std::ranges::equal(*a.icons, *b.icons, [](const auto& x, const auto& y) { return is_same(x, y); });
}

// Every result of a server is signed with the same words, and most have no `_meta` of their own.
std::string signed_meta(std::string_view meta, const Implementation& server) {
  struct Signature {
    std::optional<Implementation> server;
    std::string info;
    std::string alone;
  };
  thread_local Signature last;
  if (!last.server || !is_same(*last.server, server)) {
    last.server = server;
    last.info = json::encode(server);
    last.alone = ObjectEdit("").set(meta::server_info, last.info).text();
  }
  return meta.empty() ? last.alone : ObjectEdit(meta).set(meta::server_info, last.info).text();
}

/// What a result says of its server, and what else there is in its `_meta`.
struct SignedMeta {
  std::string meta = {};
  std::optional<Implementation> server = {};
  bool is_signed = false;
  std::string rest = {};  // Empty if nothing remains.
};

SignedMeta read_signature(std::string_view text) {
  SignedMeta read{.meta = std::string(text)};
  ObjectEdit meta(text);
  if (const auto info = meta.get(meta::server_info); !info.empty()) {
    read.is_signed = true;
    if (auto server = json::decode<Implementation>(info)) read.server = std::move(*server);
    meta.erase(meta::server_info);
  }
  if (!meta.empty()) read.rest = meta.text();
  return read;
}

// Every result of a server comes with the same signature, and most with nothing else.
const SignedMeta& signature_in(std::string_view meta) {
  thread_local SignedMeta last;
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

class StatelessCodec final : public EraCodec {
 public:
  Result<LiftedRequest> lift_request(Payload params) const override {
    ObjectEdit whole(params.text());
    const auto& envelope = envelope_in(whole.get("_meta"));
    auto caller = caller_of(envelope);
    if (!caller) return std::unexpected(std::move(caller.error()));
    if (envelope.alone) {
      whole.erase("_meta");
    } else {
      ObjectEdit meta(whole.get("_meta"));
      for (const auto key : meta::envelope) meta.erase(key);
      whole.set("_meta", meta.text());
    }
    return LiftedRequest{.caller = std::move(*caller), .params = Payload::trusted(whole.text())};
  }

  Payload lower_request(Payload params, const std::shared_ptr<const Caller>& caller) const override {
    ObjectEdit whole(params.text());
    whole.set("_meta", enveloped(whole.get("_meta"), caller));
    return Payload::trusted(whole.text());
  }

  // A missing resultType counts as complete, as the specification asks of clients.
  Result<LiftedResult> lift_result(Payload result) const override {
    ObjectEdit whole(result.text());
    LiftedResult lifted;
    if (const auto meta = whole.get("_meta"); !meta.empty()) {
      const auto& signature = signature_in(meta);
      lifted.server = signature.server;
      if (signature.is_signed && signature.rest.empty()) whole.erase("_meta");
      if (signature.is_signed && !signature.rest.empty()) whole.set("_meta", signature.rest);
    }
    const auto type = whole.get("resultType");
    if (type == R"("complete")") {
      whole.erase("resultType");
    } else if (!type.empty()) {
      auto name = json::decode<std::string>(type);
      if (!name) return fail(ErrorKind::malformed, "resultType: " + name.error().message);
      if (*name == "input_required") {
        lifted.kind = ResultKind::input_required;
      } else if (*name != "complete") {
        lifted.kind = ResultKind::other;
        lifted.other_kind = std::move(*name);
      }
      whole.erase("resultType");
    }
    lifted.body = whole.changed() ? Payload::trusted(whole.text()) : std::move(result);
    return lifted;
  }

  Payload lower_result(Payload body, const ResultStamp& stamp, const Revision& revision) const override {
    ObjectEdit whole(body.text());
    std::string kind;
    json::write_string(kind, kind_name(stamp));
    whole.set("resultType", std::move(kind));
    if (stamp.kind == ResultKind::complete && revision.cacheable.contains(stamp.method)) {
      if (whole.get("ttlMs").empty()) whole.set("ttlMs", "0");
      if (whole.get("cacheScope").empty()) whole.set("cacheScope", R"("private")");
    }
    if (stamp.server) whole.set("_meta", signed_meta(whole.get("_meta"), *stamp.server));
    return Payload::trusted(whole.text());
  }
};

}  // namespace

const EraCodec& stateless_codec() {
  static const StatelessCodec codec;
  return codec;
}

}  // namespace fairlead::protocol
