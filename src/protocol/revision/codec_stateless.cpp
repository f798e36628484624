#include "protocol/revision/codec_stateless.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/meta_keys.hpp>

namespace fairlead::protocol {
namespace {

using json::ObjectEdit;

std::unexpected<Error> bad_envelope(std::string message) {
  return std::unexpected(fault_error(Fault::missing_envelope, std::move(message)));
}

template <class T>
Result<void> take(const ObjectEdit& meta, std::string_view key, T& value) {
  auto decoded = json::decode<T>(meta.get(key));
  if (!decoded) return bad_envelope("_meta[\"" + std::string(key) + "\"]: " + decoded.error().message);
  value = std::move(*decoded);
  return {};
}

template <class T>
Result<void> take(const ObjectEdit& meta, std::string_view key, std::optional<T>& value) {
  return meta.get(key).empty() ? Result<void>() : take(meta, key, value.emplace());
}

Result<Caller> read_caller(const ObjectEdit& meta) {
  for (const auto key : {meta::protocol_version, meta::client_capabilities}) {
    if (meta.get(key).empty()) return bad_envelope("_meta[\"" + std::string(key) + "\"] is required");
  }
  Caller caller;
  for (const auto& read :
       {take(meta, meta::protocol_version, caller.revision), take(meta, meta::client_capabilities, caller.capabilities),
        take(meta, meta::client_info, caller.info), take(meta, meta::log_level, caller.log_level)}) {
    if (!read) return std::unexpected(read.error());
  }
  return caller;
}

// Puts `_meta` back as it now is, or leaves it out when nothing remains of it.
void replace_meta(ObjectEdit& whole, const ObjectEdit& meta) {
  if (meta.empty()) {
    whole.erase("_meta");
  } else {
    whole.set("_meta", meta.text());
  }
}

std::string_view kind_name(const ResultStamp& stamp) {
  switch (stamp.kind) {
    case ResultKind::complete: return "complete";
    case ResultKind::input_required: return "input_required";
    case ResultKind::other: break;
  }
  return stamp.other_kind;
}

class StatelessCodec final : public EraCodec {
 public:
  Result<LiftedRequest> lift_request(Payload params) const override {
    ObjectEdit whole(params.text());
    ObjectEdit meta(whole.get("_meta"));
    auto caller = read_caller(meta);
    if (!caller) return std::unexpected(caller.error());
    for (const auto key : meta::envelope) meta.erase(key);
    replace_meta(whole, meta);
    return LiftedRequest{.caller = std::move(*caller), .params = Payload::trusted(whole.text())};
  }

  Payload lower_request(Payload params, const Caller& caller) const override {
    ObjectEdit whole(params.text());
    ObjectEdit meta(whole.get("_meta"));
    meta.set(meta::protocol_version, json::encode(caller.revision));
    meta.set(meta::client_capabilities, json::encode(caller.capabilities));
    if (caller.info) meta.set(meta::client_info, json::encode(*caller.info));
    if (caller.log_level) meta.set(meta::log_level, json::encode(*caller.log_level));
    replace_meta(whole, meta);
    return Payload::trusted(whole.text());
  }

  // A missing resultType counts as complete, as the specification asks of clients.
  Result<LiftedResult> lift_result(Payload result) const override {
    ObjectEdit whole(result.text());
    ObjectEdit meta(whole.get("_meta"));
    LiftedResult lifted;
    if (!meta.get(meta::server_info).empty()) {
      if (auto server = json::decode<Implementation>(meta.get(meta::server_info))) lifted.server = std::move(*server);
      meta.erase(meta::server_info);
      replace_meta(whole, meta);
    }
    if (const auto type = whole.get("resultType"); !type.empty()) {
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
    whole.set("resultType", json::encode(std::string(kind_name(stamp))));
    if (stamp.kind == ResultKind::complete && revision.cacheable.contains(stamp.method)) {
      if (whole.get("ttlMs").empty()) whole.set("ttlMs", "0");
      if (whole.get("cacheScope").empty()) whole.set("cacheScope", R"("private")");
    }
    if (stamp.server) {
      ObjectEdit meta(whole.get("_meta"));
      meta.set(meta::server_info, json::encode(*stamp.server));
      whole.set("_meta", meta.text());
    }
    return Payload::trusted(whole.text());
  }
};

}  // namespace

const EraCodec& stateless_codec() {
  static const StatelessCodec codec;
  return codec;
}

bool claims_stateless(std::string_view meta) {
  return !json::member_of(meta, meta::protocol_version).empty();
}

}  // namespace fairlead::protocol
