#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/elicitation.hpp>
#include <stdexcept>
#include <utility>

namespace fairlead::server {

/// Thrown by Context when a request to the client fails; handlers may throw it too. An error that carries a
/// ProtocolError is sent as that error; any other makes the tool, prompt or resource fail.
class Failed : public std::runtime_error {
 public:
  explicit Failed(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

/// The user declined or dismissed an elicitation. If the handler does not catch it, the tool fails with this text.
class ElicitationDeclined : public std::runtime_error {
 public:
  explicit ElicitationDeclined(protocol::ElicitAction action)
      : std::runtime_error(action == protocol::ElicitAction::decline ? "The user declined to answer."
                                                                     : "The user dismissed the question."),
        action_(action) {}
  protocol::ElicitAction action() const { return action_; }

 private:
  protocol::ElicitAction action_;
};

}  // namespace fairlead::server
