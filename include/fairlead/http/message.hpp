#pragma once

#include <array>
#include <cstdint>
#include <fairlead/base/task.hpp>
#include <fairlead/protocol/headers.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::http {

using protocol::Header;
using protocol::HeaderView;

class Exchange;
struct Identity;
class OperationCheck;

/// A complete request. Its views point into the connection's buffer and are valid during the exchange; copy what must
/// live longer.
struct Request {
  std::string_view method;  ///< As sent; methods are case-sensitive.
  std::string_view target;
  std::string_view path;   ///< Path of the target, percent-encoded as sent.
  std::string_view query;  ///< Query of the target, without the question mark.
  std::vector<HeaderView> headers;
  std::string body;  ///< A handler may move from it.

  std::string remote;     ///< The peer's address and port.
  std::string principal;  ///< Authenticated principal, set by an access check; empty if anonymous.
  /// Authenticated caller: of the client certificate, unless an access check sets it; null if anonymous. Its principal
  /// is `principal`.
  std::shared_ptr<const Identity> identity;
  /// Decides about single operations of `identity`, set by an access check; null if it allows all.
  std::shared_ptr<const OperationCheck> operations;
  /// Access token that was verified by an access check; null without OAuth. Never log or forward it.
  std::shared_ptr<const std::string> access_token;
  bool secure = false;  ///< True if the connection uses TLS.

  /// Bloom filter of the header names, by `name_bit`. All ones without an index.
  std::uint64_t header_bits = ~std::uint64_t{0};

  /// Objects that the handler's task or the streamed response uses. Released after the response.
  std::shared_ptr<const void> dependencies;

  /// Bits of names that several headers may have, which are searched; and the header of each other name.
  std::uint64_t searched_bits = ~std::uint64_t{0};
  std::array<std::uint8_t, 64> header_in_slot = {};

  /// Value of the first header of that name, trimmed; nothing if absent.
  std::optional<std::string_view> header(std::string_view name) const {
    return may_have_header(name) ? value_in_slot(name, slot(name)) : std::nullopt;
  }
  std::size_t count(std::string_view name) const { return may_have_header(name) ? count_in_slot(name, slot(name)) : 0; }
  /// Position of the next header of that name, beginning at `from`; `headers.size()` if there is none.
  std::size_t find_header(std::string_view name, std::size_t from = 0) const {
    return may_have_header(name) ? find_in_slot(name, slot(name), from) : headers.size();
  }
  /// Builds the index. Call it again after a change of `headers`.
  void index_headers();

  bool may_have_header(std::string_view name) const { return (header_bits & name_bit(name)) != 0; }
  static constexpr std::uint64_t name_bit(std::string_view name) { return std::uint64_t{1} << slot(name); }

 private:
  static constexpr std::size_t slot(std::string_view name) {
    // Ignores the bits that separate upper and lower case.
    constexpr auto letter = [](char c) { return static_cast<unsigned char>(c) & 0x1fu; };
    return name.empty() ? 0 : ((name.size() + letter(name.back())) * 5 + letter(name.front())) & 63;
  }
  // Not computed again from the name, which is constant in most calls.
  std::optional<std::string_view> value_in_slot(std::string_view name, std::size_t in) const;
  std::size_t count_in_slot(std::string_view name, std::size_t in) const;
  std::size_t find_in_slot(std::string_view name, std::size_t in, std::size_t from) const;
};

/// Writes a response that is not sent at once: an event stream, a WebSocket.
class StreamedBody {
 public:
  virtual ~StreamedBody() = default;

  /// If it returns without a response, the client receives a 500. Destroyed after the task has ended.
  virtual Task<void> send(Exchange& exchange) = 0;
};

/// A response, or the head of a streamed one. The connection adds length, date and connection headers.
struct Response {
  std::uint16_t status = 200;
  std::string_view content_type = {};  ///< A literal; empty for none.
  std::vector<Header> headers = {};
  std::string body = {};
  std::unique_ptr<StreamedBody> stream = {};  ///< If set, it writes the response, and the other members are ignored.
};

/// A response that `send(exchange)` writes. `send` is not a coroutine, but returns one. It lives until that has ended.
template <class Send>
Response streamed(Send send) {
  struct Body final : StreamedBody {
    explicit Body(Send send) : function(std::move(send)) {}
    Task<void> send(Exchange& exchange) override { return function(exchange); }
    Send function;
  };
  return {.stream = std::make_unique<Body>(std::move(send))};
}

std::string_view reason_phrase(std::uint16_t status);

}  // namespace fairlead::http
