#include <fairlead/protocol/subscription.hpp>

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>

namespace fairlead::protocol {

json::Payload with_subscription_id(const json::Payload& params, const jsonrpc::Id& id) {
  json::ObjectEdit whole(params.text());
  json::ObjectEdit meta(whole.get("_meta"));
  meta.set(meta::subscription_id, id.to_json());
  whole.set("_meta", meta.text());
  return json::Payload::trusted(whole.text());
}

}  // namespace fairlead::protocol
