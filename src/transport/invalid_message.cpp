#include <fairlead/json/codec.hpp>
#include <fairlead/transport/transport.hpp>

namespace fairlead::transport {

Error invalid_response_error(const jsonrpc::ReadError& answer) {
  if (answer.limit != 0) {
    return {.kind = ErrorKind::malformed,
            .message = "the response is longer than " + std::to_string(answer.limit) +
                       " bytes, the limit for one message (max_message)"};
  }
  auto why = answer.error.message;
  if (answer.error.data) why = json::decode<std::string>(*answer.error.data).value_or(why);
  return {.kind = ErrorKind::malformed,
          .message = "the peer answered this request with an invalid JSON-RPC 2.0 message: " + why +
                     "; report this to its maintainer"};
}

}  // namespace fairlead::transport
