#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/session/service.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fairlead::gateway {

inline std::unexpected<Error> refuse(protocol::Fault fault, std::string message, std::string subject = {}) {
  return std::unexpected(protocol::fault_error(fault, std::move(message), std::move(subject)));
}

/// A task that has been done already.
Task<Result<session::Reply>> at_once(Result<session::Reply> answer);

/// The text with `value`, as a JSON string, in the place of one of its stretches; every other byte stays.
std::string with_string(std::string_view text, json::Span place, std::string_view value);

/// The same in the place of an object's member, which is there.
std::string with_string(std::string_view object, std::string_view member, std::string_view value);

/// Whether an object says something twice: every reader would read it in his own way.
bool repeats_itself(std::string_view object);

/// What a request names, and where.
struct Named {
  std::string name;
  json::Span place;  ///< With its quotes.
};

/// The string member of a request's params.
std::optional<Named> named_by(const json::Payload& params, std::string_view member);

/// What `completion/complete` completes for.
struct Reference {
  Named named;
  bool is_prompt = false;  ///< Else it is a resource, or a template of some.
};

Result<Reference> reference_of(const json::Payload& params);

/// Has a call's params name something else while this lives: whoever made the call may make it again.
class Respelled {
 public:
  Respelled(session::Call& call, json::Span place, std::string_view name)
      : call_(call),
        kept_(std::exchange(call.params, json::Payload::trusted(with_string(call.params.text(), place, name)))) {}
  Respelled(const Respelled&) = delete;
  Respelled& operator=(const Respelled&) = delete;
  ~Respelled() { call_.params = std::move(kept_); }

 private:
  session::Call& call_;
  json::Payload kept_;
};

}  // namespace fairlead::gateway
