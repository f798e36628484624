#include "http/request_reader.hpp"

#include <algorithm>
#include <array>

#include "http/field_list.hpp"

namespace fairlead::http {
namespace {

// The JSON scanner reads blocks and needs padding after the end.
constexpr std::size_t json_padding = 64;
constexpr std::size_t max_kept_capacity = 64 * 1024;

HttpParseError at_fault(std::string_view why, std::uint16_t status = 400) {
  return {.status = status, .why = why};
}

}  // namespace

RequestReader::RequestReader(const Limits& limits)
    : head_limits_{.bytes = limits.head_bytes, .headers = limits.header_count, .target = limits.target_bytes},
      max_body_(limits.body_bytes) {}

RequestReader::Step RequestReader::feed(std::string_view& bytes) {
  if (stage_ == Stage::idle || stage_ == Stage::head) {
    if (bytes.empty()) return Step::more;
    if (const auto step = feed_head(bytes); stage_ != Stage::body) return step;
    if (chunks_ || missing_ > bytes.size()) return Step::body_next;
  }
  if (wants_continue_) {
    wants_continue_ = false;
    if (bytes.empty()) return Step::wants_continue;
  }
  return feed_body(bytes);
}

RequestReader::Step RequestReader::feed_head(std::string_view& bytes) {
  const auto known = own_head_.size();
  if (known > 0) own_head_ += bytes;
  const auto all = known > 0 ? std::string_view(own_head_) : bytes;
  const auto head = parse_request_head(all, head_limits_, request_.headers);
  if (!head) return fail(head.error());
  if (!*head) {
    stage_ = Stage::head;
    if (known == 0) own_head_ = bytes;
    bytes = {};
    // Rebase the views to the copy.
    request_.headers.clear();
    return Step::more;
  }
  bytes.remove_prefix((*head)->size - known);
  head_ = all.substr(0, (*head)->size);
  if (const auto fault = accept(**head)) return fail(*fault);
  stage_ = Stage::body;
  return Step::more;
}

RequestReader::Step RequestReader::feed_body(std::string_view& bytes) {
  bool whole = missing_ == 0;
  if (chunks_) {
    const auto done = chunks_->feed(bytes, request_.body);
    if (!done) return fail(done.error());
    whole = *done;
  } else if (!whole) {
    const auto part = bytes.substr(0, missing_);
    // Reserve for received bytes only: Content-Length may be false.
    if (part.size() == missing_) request_.body.reserve(request_.body.size() + part.size() + json_padding);
    request_.body += part;
    bytes.remove_prefix(part.size());
    missing_ -= part.size();
    whole = missing_ == 0;
  }
  if (!whole) {
    own_head();
    return Step::more;
  }
  stage_ = Stage::whole;
  return Step::whole;
}

RequestReader::Step RequestReader::fail(HttpParseError fault) {
  stage_ = Stage::fault;
  fault_ = fault;
  keep_alive_ = false;
  // After an invalid head nothing about the client is reliable.
  request_.headers.clear();
  return Step::fault;
}

std::optional<HttpParseError> RequestReader::accept(const RequestHead& head) {
  request_.method = head.method;
  request_.target = head.target;
  request_.index_headers();
  minor_ = head.minor;
  if (auto fault = accept_host()) return fault;
  if (auto fault = accept_target()) return fault;
  if (auto fault = accept_body()) return fault;
  if (auto fault = accept_expectation()) return fault;
  accept_connection();
  return std::nullopt;
}

std::optional<HttpParseError> RequestReader::accept_host() {
  const auto hosts = request_.count("Host");
  if (hosts > 1) return at_fault("Host must not be sent twice");
  if (hosts == 0 && minor_ == 1) return at_fault("HTTP/1.1 needs a Host header");
  return std::nullopt;
}

std::optional<HttpParseError> RequestReader::accept_target() {
  auto target = request_.target;
  if (request_.method == "CONNECT") return at_fault("this server is not a proxy", 501);
  const auto scheme = target.front() == '/' ? std::string_view::npos : target.find("://");
  if (scheme != std::string_view::npos) {
    const auto name = target.substr(0, scheme);
    if (!protocol::same_header(name, "http") && !protocol::same_header(name, "https")) {
      return at_fault("the target's scheme must be http or https");
    }
    target.remove_prefix(scheme + 3);
    const auto authority = target.substr(0, std::min(target.find_first_of("/?"), target.size()));
    // RFC 9112, section 3.2.2: the target overrides Host; the Host check must see the same value.
    if (!protocol::same_header(authority, request_.header("Host").value_or(authority))) {
      return at_fault("the target and Host name different hosts");
    }
    target.remove_prefix(authority.size());
  } else if (target.front() != '/' && !(target == "*" && request_.method == "OPTIONS")) {
    return at_fault("the target must begin with a slash");
  }
  const auto question = std::min(target.find('?'), target.size());
  request_.path = question == 0 ? std::string_view("/") : target.substr(0, question);
  request_.query = target.substr(std::min(question + 1, target.size()));
  return std::nullopt;
}

std::optional<HttpParseError> RequestReader::accept_body() {
  const auto framing = parse_framing(request_.headers, minor_);
  if (!framing) return framing.error();
  const auto length = framing->length.value_or(0);
  if (length > max_body_) return at_fault("the body is too large: send less", 413);
  missing_ = static_cast<std::size_t>(length);
  if (framing->chunked) chunks_.emplace(max_body_);
  return std::nullopt;
}

std::optional<HttpParseError> RequestReader::accept_expectation() {
  const auto expected = request_.header("Expect");
  if (!expected || minor_ == 0) return std::nullopt;
  if (!protocol::same_header(*expected, "100-continue")) return at_fault("Expect supports only 100-continue", 417);
  wants_continue_ = missing_ > 0 || chunks_;
  return std::nullopt;
}

void RequestReader::accept_connection() {
  keep_alive_ = minor_ == 1;
  if (!request_.may_have_header("Connection")) return;
  bool closes = false, keeps = false;
  for (const auto& field : request_.headers) {
    if (!protocol::same_header(field.name, "Connection")) continue;
    closes = closes || list_has(field.value, "close");
    keeps = keeps || list_has(field.value, "keep-alive");
  }
  keep_alive_ = !closes && (minor_ == 1 || keeps);
}

void RequestReader::own_head() {
  if (head_.data() == own_head_.data()) return;
  const char* old = head_.data();
  own_head_ = head_;
  head_ = own_head_;
  const auto move = [old, copy = head_.data()](std::string_view& view) {
    view = {copy + (view.data() - old), view.size()};
  };
  for (auto* view : {&request_.method, &request_.target, &request_.path, &request_.query}) {
    // The path of an absolute target may be a literal, not part of the head.
    if (view->data() >= old && view->data() <= old + head_.size()) move(*view);
  }
  for (auto& field : request_.headers) {
    move(field.name);
    move(field.value);
  }
}

void RequestReader::release_memory() {
  static constexpr std::array<std::string_view, 3> usual = {"GET", "HEAD", "POST"};
  const auto* method = std::ranges::find(usual, request_.method);
  request_.method = method == usual.end() ? std::string_view() : *method;
  request_.target = request_.path = request_.query = {};
  request_.headers = std::vector<HeaderView>();
  request_.header_bits = 0;
  request_.body = std::string();
  head_ = {};
  own_head_ = std::string();
}

void RequestReader::next() {
  stage_ = Stage::idle;
  keep_alive_ = true;
  wants_continue_ = false;
  missing_ = 0;
  chunks_.reset();
  head_ = {};
  own_head_.clear();
  if (own_head_.capacity() > max_kept_capacity) own_head_ = {};
  request_.headers.clear();
  request_.body.clear();
  if (request_.body.capacity() > max_kept_capacity) request_.body = {};
  request_.principal.clear();
  request_.identity.reset();
  request_.operations.reset();
  request_.access_token.reset();
  request_.response_header.reset();
  request_.dependencies.reset();
}

}  // namespace fairlead::http
