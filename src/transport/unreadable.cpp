#include <fairlead/json/codec.hpp>
#include <fairlead/transport/transport.hpp>

namespace fairlead::transport {

Error unreadable_answer(const jsonrpc::Unread& answer) {
  auto why = answer.error.message;
  if (answer.error.data) why = json::decode<std::string>(*answer.error.data).value_or(why);
  return {.kind = ErrorKind::malformed,
          .message = "the peer answered this request with what is no JSON-RPC 2.0: " + why +
                     "; report this to whoever maintains it"};
}

}  // namespace fairlead::transport
