#include "protocol/revision/codec_handshake.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/meta_keys.hpp>

#include "protocol/revision/older_content.hpp"

namespace fairlead::protocol {
namespace {

using json::ObjectEdit;

// Erases keys from `_meta`, and `_meta` itself once it is empty.
void clean_meta(ObjectEdit& whole, std::initializer_list<std::string_view> keys) {
  if (whole.get("_meta").empty()) return;
  ObjectEdit meta(whole.get("_meta"));
  for (const auto key : keys) meta.erase(key);
  if (!meta.changed()) return;
  if (meta.empty()) {
    whole.erase("_meta");
  } else {
    whole.set("_meta", meta.text());
  }
}

/// Whether a result may say what the client's revision does not know. Names are dates, and sort by age.
bool may_be_newer(const ResultStamp& stamp, const Revision& revision) {
  return stamp.written_in == nullptr || stamp.written_in->name > revision.name;
}

/// Whether a result can leave as it is. Most can, and to see that takes no copy of their parts.
bool is_fine(std::string_view result, const ResultStamp& stamp, const Revision& revision) {
  const bool newer = may_be_newer(stamp, revision);
  json::Reader reader(result);
  if (reader.kind() != json::Kind::object) return false;
  for (reader.open(); reader.more();) {
    const auto name = reader.key();
    if (name == "resultType" || name == "ttlMs" || name == "cacheScope" || name == "_meta") return false;
    if (!newer) {
      reader.skip();
    } else if (!is_old_enough(name, reader, stamp.method, revision)) {
      return false;
    }
  }
  return true;
}

Payload edited(Payload original, const ObjectEdit& edit) {
  return edit.changed() ? Payload::trusted(edit.text()) : std::move(original);
}

bool has_any(const Payload& object, std::initializer_list<std::string_view> names) {
  if (std::ranges::none_of(names, [&](auto name) { return object.may_have(name); })) return false;
  json::Reader reader(object.text());
  if (reader.kind() != json::Kind::object) return false;
  for (reader.open(); reader.more(); reader.skip()) {
    if (std::ranges::find(names, reader.key()) != names.end()) return true;
  }
  return false;
}

class HandshakeCodec final : public EraCodec {
 public:
  // Who is calling was settled by initialize; the session knows.
  Result<LiftedRequest> lift_request(const Payload& params, json::Span) const override {
    return LiftedRequest{.caller = nullptr, .params = params};
  }

  Payload lower_request(const Payload& params, const std::shared_ptr<const Caller>&) const override {
    if (params.empty() || !has_any(params, {"inputResponses", "requestState", "_meta"})) return params;
    ObjectEdit whole(params.text());
    whole.erase("inputResponses").erase("requestState");
    clean_meta(whole, {meta::protocol_version, meta::client_capabilities, meta::client_info, meta::log_level});
    return edited(params, whole);
  }

  Result<LiftedResult> lift_result(Payload result) const override {
    return LiftedResult{.kind = ResultKind::complete, .body = std::move(result)};
  }

  // A strict client of this era trips over members that it never heard of, `ping` must answer exactly {}.
  Payload lower_result(Payload body, const ResultStamp& stamp, const Revision& revision) const override {
    if (body.empty()) return Payload::trusted("{}");
    if (is_fine(body.text(), stamp, revision)) return body;
    ObjectEdit whole(body.text());
    whole.erase("resultType").erase("ttlMs").erase("cacheScope");
    clean_meta(whole, {meta::server_info, meta::subscription_id});
    if (may_be_newer(stamp, revision)) make_older(whole, stamp.method, revision);
    return edited(std::move(body), whole);
  }
};

}  // namespace

const EraCodec& handshake_codec() {
  static const HandshakeCodec codec;
  return codec;
}

}  // namespace fairlead::protocol
