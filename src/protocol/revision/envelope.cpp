#include "protocol/revision/envelope.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/fault.hpp>
#include <string>
#include <utility>

namespace fairlead::protocol {
namespace {

constexpr std::size_t few_words = 1024;

std::unexpected<Error> bad_envelope(std::string message) {
  return std::unexpected(fault_error(Fault::missing_envelope, std::move(message)));
}

template <class T>
Result<void> take(const Envelope& envelope, std::size_t place, T& value) {
  auto decoded = json::decode<T>(envelope.said[place]);
  if (!decoded) {
    return bad_envelope("_meta[\"" + std::string(meta::envelope[place]) + "\"]: " + decoded.error().message);
  }
  value = std::move(*decoded);
  return {};
}

template <class T>
Result<void> take(const Envelope& envelope, std::size_t place, std::optional<T>& value) {
  return envelope.said[place].empty() ? Result<void>() : take(envelope, place, value.emplace());
}

Result<std::shared_ptr<const Caller>> read_caller(const Envelope& envelope) {
  Caller caller;
  for (const auto& read : {take(envelope, 0, caller.revision), take(envelope, 1, caller.capabilities),
                           take(envelope, 2, caller.info), take(envelope, 3, caller.log_level)}) {
    if (!read) return std::unexpected(read.error());
  }
  return std::make_shared<const Caller>(std::move(caller));
}

}  // namespace

Envelope::Envelope(std::string_view meta) {
  if (meta.empty()) return;
  json::Reader reader(meta);
  if (reader.kind() != json::Kind::object) return;
  for (reader.open(); reader.more();) {
    const auto name = reader.key();
    const auto found = std::ranges::find(meta::envelope, name);
    const bool is_token = name == meta::progress_token;
    const auto value = reader.skip();
    if (is_token) progress_token = value;
    if (found == meta::envelope.end()) {
      alone = false;
    } else {
      said[static_cast<std::size_t>(found - meta::envelope.begin())] = value;
    }
  }
}

const Envelope& envelope_in(std::string_view meta) {
  struct Known {
    std::string meta;
    Envelope envelope;
  };
  static const Envelope none("");
  if (meta.empty()) return none;
  thread_local Known last;
  thread_local Envelope long_one;
  if (meta.size() > few_words) return long_one = Envelope(meta);
  if (last.meta != meta) {
    last.meta = meta;
    last.envelope = Envelope(last.meta);
  }
  return last.envelope;
}

bool claims_stateless(std::string_view meta) {
  return !envelope_in(meta).said[0].empty();
}

bool is_mere_envelope(std::string_view meta) {
  return envelope_in(meta).alone;
}

std::optional<std::string> claimed_version(std::string_view meta) {
  const auto& [version, capabilities, info, level] = envelope_in(meta).said;
  if (!version.starts_with('"') || !capabilities.starts_with('{')) return std::nullopt;
  auto name = json::decode<std::string>(version);
  return name ? std::optional(std::move(*name)) : std::nullopt;
}

std::string_view progress_token_in(std::string_view meta) {
  return envelope_in(meta).progress_token;
}

// A client says the same of itself in every request: those that come one after the other share what was made of it.
Result<std::shared_ptr<const Caller>> caller_of(const Envelope& envelope) {
  for (const std::size_t place : {0U, 1U}) {
    if (envelope.said[place].empty()) {
      return bad_envelope("_meta[\"" + std::string(meta::envelope[place]) + "\"] is required");
    }
  }
  struct Known {
    std::array<std::string, meta::envelope.size()> said;
    std::shared_ptr<const Caller> caller;
  };
  thread_local Known last;
  if (last.caller && std::ranges::equal(last.said, envelope.said)) return last.caller;
  auto caller = read_caller(envelope);
  if (caller && std::ranges::none_of(envelope.said, [](auto text) { return text.size() > few_words; })) {
    std::ranges::copy(envelope.said, last.said.begin());
    last.caller = *caller;
  }
  return caller;
}

}  // namespace fairlead::protocol
