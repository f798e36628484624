#pragma once

#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/transport/transport.hpp>
#include <string>

namespace fairlead::test {

inline jsonrpc::Message request(int id, std::string method = "ping") {
  return jsonrpc::Request{.id = id, .method = std::move(method)};
}

/// A received value as one line: a batch as its lines in brackets; an invalid message as "!" and its reply; a failed
/// request as its id and error.
inline std::string text(const transport::Received& received) {
  if (const auto* message = std::get_if<jsonrpc::Message>(&received)) return jsonrpc::write(*message);
  if (const auto* bad = std::get_if<transport::InvalidMessage>(&received)) return "!" + jsonrpc::write(bad->reply);
  if (const auto* lost = std::get_if<transport::RequestFailed>(&received)) {
    return "lost " + lost->id.to_json() + ": " + lost->error.message;
  }
  if (const auto* related = std::get_if<transport::MessageForRequest>(&received)) {
    return "about " + related->request_id.to_json() + ": " + jsonrpc::write(related->message);
  }
  if (const auto* paused = std::get_if<transport::ResponseDeferred>(&received))
    return "paused " + paused->request_id.to_json();
  std::string all = "[";
  for (const auto& entry : std::get<jsonrpc::Batch>(received).entries) {
    all += (all.size() > 1 ? "," : "") + (entry ? jsonrpc::write(*entry) : "!" + jsonrpc::write(entry.error()));
  }
  return all + "]";
}

inline std::string text(const Result<transport::Received>& received) {
  return received ? text(*received) : "closed: " + received.error().message;
}

}  // namespace fairlead::test
