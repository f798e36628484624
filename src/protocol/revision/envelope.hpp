#pragma once

#include <array>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <memory>
#include <string_view>

namespace fairlead::protocol {

/// What the `_meta` of a stateless request says of its sender, each as its JSON, in the order of `meta::envelope`.
struct Envelope {
  std::array<std::string_view, meta::envelope.size()> said = {};
  bool alone = true;                     ///< There is nothing else in it.
  std::string_view progress_token = {};  ///< Not of the sender, but asked for as often.

  Envelope() = default;
  explicit Envelope(std::string_view meta);
};

/// What a `_meta` says. Several ask about the same one, and a client says the same again and again: it is read once.
/// Valid until somebody on this thread asks about another.
const Envelope& envelope_in(std::string_view meta);

/// Who sends it, or what is missing. Requests that say the same may share one.
Result<std::shared_ptr<const Caller>> caller_of(const Envelope& envelope);

}  // namespace fairlead::protocol
