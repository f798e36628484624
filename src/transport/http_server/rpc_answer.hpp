#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/revision.hpp>
#include <optional>
#include <string>
#include <string_view>

/// HTTP answers whose body is JSON-RPC.
namespace fairlead::transport {

/// In answers to a name that no session has: what the SDKs send, and what their clients look for.
inline constexpr std::int64_t session_not_found = -32001;

http::Response json_answer(std::string body, std::uint16_t status = 200);
/// With what the answer brings along.
http::Response json_answer(const jsonrpc::Message& answer, std::uint16_t status = 200);

/// The request or message was taken; there is nothing to say.
http::Response accepted();

/// An error that HTTP tells too.
http::Response refusal(std::uint16_t status, std::int64_t code, std::string message,
                       std::optional<jsonrpc::Id> id = {});
http::Response refusal(std::uint16_t status, const jsonrpc::ErrorResponse& error);

/// An error as its revision tells it, with the status that goes with it.
http::Response refusal(const Error& error, const protocol::Revision& revision, std::optional<jsonrpc::Id> id);

/// The answer to a stateless request, before a stream was opened: some errors have a status of their own.
http::Response stateless_answer(const jsonrpc::Message& answer);

/// 503 for a client that asks on while it does not read what was answered before.
http::Response busy(std::optional<jsonrpc::Id> id);

/// 405, with the methods that would do.
http::Response method_not_allowed(std::string_view allowed);

/// The id that an answer carries; null for what is no answer.
const jsonrpc::Id* answered_id(const jsonrpc::Message& message);
bool is_answer(const jsonrpc::Message& message);

}  // namespace fairlead::transport
