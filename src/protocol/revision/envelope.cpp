#include "protocol/revision/envelope.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <tuple>
#include <utility>

#include "base/last_value.hpp"

namespace fairlead::protocol {
namespace {

constexpr std::size_t max_memo_bytes = 1024;

std::unexpected<Error> bad_envelope(std::string message) {
  return refuse(ProtocolError::missing_envelope, std::move(message));
}

template <class T>
Result<void> read_member(const RequestEnvelope& envelope, std::size_t index, T& value) {
  auto decoded = json::decode<T>(envelope.values[index]);
  if (!decoded) {
    return bad_envelope("_meta[\"" + std::string(meta::envelope[index]) + "\"]: " + decoded.error().message);
  }
  value = std::move(*decoded);
  return {};
}

template <class T>
Result<void> read_member(const RequestEnvelope& envelope, std::size_t index, std::optional<T>& value) {
  return envelope.values[index].empty() ? Result<void>() : read_member(envelope, index, value.emplace());
}

Result<std::shared_ptr<const ClientIdentity>> read_identity(const RequestEnvelope& envelope) {
  ClientIdentity caller;
  for (const auto& read : {read_member(envelope, 0, caller.revision), read_member(envelope, 1, caller.capabilities),
                           read_member(envelope, 2, caller.info), read_member(envelope, 3, caller.log_level)}) {
    if (!read) return std::unexpected(read.error());
  }
  return std::make_shared<const ClientIdentity>(std::move(caller));
}

}  // namespace

RequestEnvelope::RequestEnvelope(std::string_view meta) {
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
      is_only = false;
    } else {
      values[static_cast<std::size_t>(found - meta::envelope.begin())] = value;
    }
  }
}

const RequestEnvelope& envelope_in(std::string_view meta) {
  static const RequestEnvelope none("");
  if (meta.empty()) return none;
  thread_local LastValue<std::string, RequestEnvelope> last;
  thread_local RequestEnvelope long_one;
  if (meta.size() > max_memo_bytes) return long_one = RequestEnvelope(meta);
  return last.get(meta, [](const std::string& stored) { return RequestEnvelope(stored); });
}

bool claims_stateless(std::string_view meta) {
  return !envelope_in(meta).values[0].empty();
}

bool is_envelope_only(std::string_view meta) {
  return envelope_in(meta).is_only;
}

std::optional<std::string> claimed_version(std::string_view meta) {
  const auto& [version, capabilities, info, level] = envelope_in(meta).values;
  if (!version.starts_with('"') || !capabilities.starts_with('{')) return std::nullopt;
  auto name = json::decode<std::string>(version);
  return name ? std::optional(std::move(*name)) : std::nullopt;
}

std::string_view progress_token_in(std::string_view meta) {
  return envelope_in(meta).progress_token;
}

// Cached: consecutive requests of a client have the same information and share one ClientIdentity.
Result<std::shared_ptr<const ClientIdentity>> client_identity(const RequestEnvelope& envelope) {
  for (const std::size_t index : {0U, 1U}) {
    if (envelope.values[index].empty()) {
      return bad_envelope("_meta[\"" + std::string(meta::envelope[index]) + "\"] is required");
    }
  }
  const auto& [version, capabilities, info, level] = envelope.values;
  const auto key = std::tie(version, capabilities, info, level);
  thread_local LastValue<std::tuple<std::string, std::string, std::string, std::string>,
                         std::shared_ptr<const ClientIdentity>>
      last;
  if (const auto* known = last.find(key)) return *known;
  auto caller = read_identity(envelope);
  const bool is_short = std::ranges::none_of(envelope.values, [](auto text) { return text.size() > max_memo_bytes; });
  if (caller && is_short) last.set(key, *caller);
  return caller;
}

}  // namespace fairlead::protocol
