#pragma once

#include <cstdint>
#include <fairlead/http/limits.hpp>
#include <fairlead/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "http/chunked.hpp"
#include "http/head_parser.hpp"

namespace fairlead::http {

/// Makes requests out of a connection's bytes, one after the other, without any I/O.
class RequestReader {
 public:
  enum class Stage : std::uint8_t { idle, head, body, whole, fault };
  enum class Step : std::uint8_t {
    more,            ///< All bytes are taken in, and the request is not whole.
    body_next,       ///< The head is there, and not all of the body: time to ask whether it is wanted. Then feed on.
    wants_continue,  ///< The client sends the body once it is told to. Told or not, feed on.
    whole,           ///< `request` is there; the bytes left belong to the next.
    fault,           ///< `fault` says why no further request can be found in these bytes.
  };

  explicit RequestReader(const Limits& limits);

  /// Takes bytes off the front. Where the request is whole at once, its views point into them: see `keep`.
  Step feed(std::string_view& bytes);
  /// The request survives the bytes it was fed with.
  void keep();
  /// Gives up all of the request but its method, if that is one of the usual.
  void forget();
  /// Forgets the request; the next `feed` begins another.
  void next();

  Request& request() { return request_; }
  const HttpFault& fault() const { return fault_; }
  Stage stage() const { return stage_; }
  /// Whether the client wants to send another; and whether it knows HTTP/1.1.
  bool keep_alive() const { return keep_alive_; }
  bool modern() const { return minor_ == 1; }

 private:
  Step feed_head(std::string_view& bytes);
  Step feed_body(std::string_view& bytes);
  Step fail(HttpFault fault);
  std::optional<HttpFault> accept(const RequestHead& head);
  std::optional<HttpFault> accept_target();
  std::optional<HttpFault> accept_host();
  std::optional<HttpFault> accept_body();
  std::optional<HttpFault> accept_expectation();
  void accept_connection();

  HeadLimits head_limits_;
  std::size_t max_body_;
  Stage stage_ = Stage::idle;
  bool keep_alive_ = true;
  bool wants_continue_ = false;
  unsigned minor_ = 1;
  HttpFault fault_;
  Request request_;
  std::string_view head_;  // The bytes that the request's views point into.
  std::string own_head_;   // Such bytes, once they are ours.
  std::size_t missing_ = 0;
  std::optional<ChunkedDecoder> chunks_;
};

}  // namespace fairlead::http
