#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/meta_keys.hpp>

#include "protocol/revision/codecs.hpp"
#include "protocol/revision/content_downgrade.hpp"

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

/// True if a result may contain members that the client's revision does not know. Revision names are dates and sort by
/// age.
bool may_be_newer(const ResultEnvelope& envelope, const Revision& revision) {
  return envelope.written_in == nullptr || envelope.written_in->name > revision.name;
}

/// True if a result can be sent unchanged, which is the common case. Copies nothing.
bool is_fine(const Payload& result, const ResultEnvelope& envelope, const Revision& revision) {
  const bool newer = may_be_newer(envelope, revision);
  constexpr auto unknown = json::name_bits({"resultType", "ttlMs", "cacheScope", "_meta"});
  if (!newer && !result.may_contain_any(unknown)) return true;
  json::Reader reader(result.text());
  if (reader.kind() != json::Kind::object) return false;
  for (reader.open(); reader.more();) {
    const auto name = reader.key();
    if (name == "resultType" || name == "ttlMs" || name == "cacheScope" || name == "_meta") return false;
    if (!newer) {
      reader.skip();
    } else if (!needs_no_downgrade(name, reader, envelope.method, revision)) {
      return false;
    }
  }
  return true;
}

Payload edited(Payload original, const ObjectEdit& edit) {
  return edit.changed() ? Payload::trusted(edit.text()) : std::move(original);
}

bool has_any(const Payload& object, std::initializer_list<std::string_view> names) {
  if (!object.may_contain_any(json::name_bits(names))) return false;
  json::Reader reader(object.text());
  if (reader.kind() != json::Kind::object) return false;
  for (reader.open(); reader.more(); reader.skip()) {
    if (std::ranges::find(names, reader.key()) != names.end()) return true;
  }
  return false;
}

class HandshakeCodec final : public EraCodec {
 public:
  // The session has the client information from initialize.
  Result<DecodedRequest> decode_request(Payload params, json::Span) const override {
    return DecodedRequest{.caller = nullptr, .params = std::move(params)};
  }

  Payload encode_request(const Payload& params, const std::shared_ptr<const ClientIdentity>&) const override {
    if (params.empty() || !has_any(params, {"inputResponses", "requestState", "_meta"})) return params;
    ObjectEdit whole(params.text());
    whole.erase("inputResponses").erase("requestState");
    clean_meta(whole, {meta::protocol_version, meta::client_capabilities, meta::client_info, meta::log_level});
    return edited(params, whole);
  }

  Result<DecodedResult> decode_result(Payload result) const override {
    return DecodedResult{.kind = ResultKind::complete, .body = std::move(result)};
  }

  // Strict clients of this era refuse unknown members, and the result of `ping` must be exactly {}.
  Payload encode_result(Payload body, const ResultEnvelope& envelope, const Revision& revision) const override {
    if (body.empty()) return Payload::trusted("{}");
    if (is_fine(body, envelope, revision)) return body;
    ObjectEdit whole(body.text());
    whole.erase("resultType").erase("ttlMs").erase("cacheScope");
    clean_meta(whole, {meta::server_info, meta::subscription_id});
    if (may_be_newer(envelope, revision)) downgrade_content(whole, envelope.method, revision);
    return edited(std::move(body), whole);
  }
};

}  // namespace

const EraCodec& handshake_codec() {
  static const HandshakeCodec codec;
  return codec;
}

}  // namespace fairlead::protocol
