#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/elicitation.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace fairlead::server {

/// What a context throws when it cannot get what the handler asked for; a handler may throw it too. One that carries a
/// fault of the protocol (protocol/fault.hpp) becomes that error, any other is the handler's failure.
class Failed : public std::runtime_error {
 public:
  explicit Failed(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

/// The user was asked and said no, or did not say anything. A handler that does not catch it tells the model so.
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
