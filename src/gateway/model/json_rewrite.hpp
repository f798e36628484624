#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Replaces a span of the text by `value` as a JSON string; all other bytes stay.
std::string replace_string(std::string_view text, json::Span span, std::string_view value);

/// Replaces the value of an existing member of an object.
std::string replace_string(std::string_view object, std::string_view member, std::string_view value);

/// True if a key is duplicated: parsers disagree on which value wins.
bool has_duplicate_keys(std::string_view object);

/// A name in a request's params, and its position.
struct NamedSpan {
  std::string name;
  json::Span span;  ///< Including the quotes.
};

/// Reads a string member of params; nothing if it is absent or not a string.
std::optional<NamedSpan> string_member(const json::Payload& params, std::string_view member);

/// The prompt or resource that a `completion/complete` refers to.
struct CompletionReference {
  NamedSpan named;
  bool is_prompt = false;  ///< Otherwise a resource or a resource template.
};

Result<CompletionReference> completion_reference(const json::Payload& params);

/// Renames the target of a call while this object lives, then restores the params: the caller may repeat the call.
class ScopedRename : NonCopyable {
 public:
  ScopedRename(session::Call& call, json::Span span, std::string_view name)
      : call_(call),
        kept_(std::exchange(call.params, json::Payload::trusted(replace_string(call.params.text(), span, name)))) {}
  ~ScopedRename() { call_.params = std::move(kept_); }

 private:
  session::Call& call_;
  json::Payload kept_;
};

}  // namespace fairlead::gateway
