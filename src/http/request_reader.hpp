#pragma once

#include <fairlead/http/limits.hpp>
#include <fairlead/http/message.hpp>

#include "http/chunked.hpp"
#include "http/head_parser.hpp"

namespace fairlead::http {

/// Parses the requests of a connection one after the other, without I/O.
class RequestReader {
 public:
  enum class Stage : std::uint8_t { idle, head, body, whole, fault };
  enum class Step : std::uint8_t {
    more,            ///< All bytes were consumed; the request is incomplete.
    body_next,       ///< The head is complete, the body is not: check access, then feed on.
    wants_continue,  ///< The client waits for 100 Continue. Sent or not, feed on.
    whole,           ///< `request` is complete; the remaining bytes belong to the next one.
    fault,           ///< The bytes are not valid HTTP; see `fault`.
  };

  explicit RequestReader(const Limits& limits);

  /// Consumes bytes. If the request is complete at once, its views point into `bytes`: see `own_head`.
  Step feed(std::string_view& bytes);
  /// Copies the head, so that the request outlives the bytes passed to `feed`.
  void own_head();
  /// Releases the memory of the request except a standard method name.
  void release_memory();
  /// Resets; the next `feed` starts a new request.
  void next();

  Request& request() { return request_; }
  const HttpParseError& fault() const { return fault_; }
  Stage stage() const { return stage_; }
  /// `keep_alive`: the client may send another request. `is_http11`: the client uses HTTP/1.1.
  bool keep_alive() const { return keep_alive_; }
  bool is_http11() const { return minor_ == 1; }

 private:
  Step feed_head(std::string_view& bytes);
  Step feed_body(std::string_view& bytes);
  Step fail(HttpParseError fault);
  std::optional<HttpParseError> accept(const RequestHead& head);
  std::optional<HttpParseError> accept_target();
  std::optional<HttpParseError> accept_host();
  std::optional<HttpParseError> accept_body();
  std::optional<HttpParseError> accept_expectation();
  void accept_connection();

  HeadLimits head_limits_;
  std::size_t max_body_;
  Stage stage_ = Stage::idle;
  bool keep_alive_ = true;
  bool wants_continue_ = false;
  unsigned minor_ = 1;
  HttpParseError fault_;
  Request request_;
  std::string_view head_;  // The bytes that the request's views point into.
  std::string own_head_;   // Copy of these bytes, once made.
  std::size_t missing_ = 0;
  std::optional<ChunkedDecoder> chunks_;
};

}  // namespace fairlead::http
