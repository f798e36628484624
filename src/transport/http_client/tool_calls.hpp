#pragma once

#include <fairlead/jsonrpc/message.hpp>
#include <optional>
#include <string>
#include <vector>

/// For peers that know tool calls and nothing else.
namespace fairlead::transport {

/// What such a peer would say to a request if it had the words; nothing for a call, which it answers itself. So a
/// client need not know whom it talks to.
std::optional<jsonrpc::Message> answer_on_behalf(const jsonrpc::Request& request, const std::string& peer);

/// A call stripped to what the closed schema allows.
jsonrpc::Request bare_call(const jsonrpc::Request& call);

/// The same as a frame `{id, name, arguments}`.
std::string call_frame(const jsonrpc::Request& call);

/// Puts a result together from the fragments that came before it.
class Fragments {
 public:
  /// False if it is no fragment of a result.
  bool add(std::string_view fragment);
  /// As a response to `id`; nothing if there were none.
  std::optional<std::string> response(const jsonrpc::Id& id) const;

 private:
  std::vector<std::string> content_;  // JSON, a block each.
  std::string rest_ = "{}";           // The other members, the latest counting.
  bool any_ = false;
};

}  // namespace fairlead::transport
