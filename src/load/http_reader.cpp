#include <algorithm>
#include <limits>

#include "load/answer_reader.hpp"

namespace fairlead::load {
namespace {

constexpr http::HeadLimits head_limits = {};

std::unexpected<Error> broken_answer(std::string_view why) {
  return fail(ErrorKind::malformed, "the server's response is not valid HTTP: " + std::string(why));
}

}  // namespace

Result<void> HttpAnswerReader::feed(std::string_view bytes, AnswerSink& sink) {
  while (!bytes.empty()) {
    Result<void> taken;
    switch (state_) {
      case ReadState::head: taken = read_head(bytes); break;
      case ReadState::counted: break;
      case ReadState::chunked: taken = read_chunks(bytes, sink); break;
    }
    if (!taken) return taken;
    // A response without a body is complete with its head.
    if (state_ == ReadState::counted) read_counted(bytes, sink);
  }
  return {};
}

Result<void> HttpAnswerReader::read_head(std::string_view& bytes) {
  const auto before = head_.size();
  if (before > 0) head_.append(bytes);
  const auto head = http::parse_response_head(before > 0 ? head_ : bytes, head_limits, headers_);
  if (!head) return broken_answer(head.error().why);
  if (!*head) {
    if (before == 0) head_ = bytes;
    bytes = {};
    return {};
  }
  status_ = (*head)->status;
  const auto started = begin_body();
  bytes.remove_prefix((*head)->size - before);
  head_.clear();
  return started;
}

Result<void> HttpAnswerReader::begin_body() {
  if (status_ < 200) return {};
  const auto framing = http::parse_framing(headers_, 1);
  if (!framing) return broken_answer(framing.error().why);
  const auto session = std::ranges::find_if(
      headers_, [](const auto& each) { return protocol::same_header(each.name, protocol::header::session_id); });
  session_ = session == headers_.end() ? std::string_view() : session->value;
  body_.clear();
  length_ = framing->length.value_or(0);
  if (framing->chunked) chunks_.emplace(std::numeric_limits<std::uint64_t>::max());
  state_ = framing->chunked ? ReadState::chunked : ReadState::counted;
  return {};
}

void HttpAnswerReader::read_counted(std::string_view& bytes, AnswerSink& sink) {
  // Most responses arrive in one piece and are not copied.
  if (body_.empty() && bytes.size() >= length_) {
    const auto body = bytes.substr(0, static_cast<std::size_t>(length_));
    bytes.remove_prefix(body.size());
    return finish(body, sink);
  }
  if (body_.empty()) body_.reserve(static_cast<std::size_t>(length_));
  const auto more = bytes.substr(0, static_cast<std::size_t>(length_) - body_.size());
  body_ += more;
  bytes.remove_prefix(more.size());
  if (body_.size() == length_) finish(body_, sink);
}

Result<void> HttpAnswerReader::read_chunks(std::string_view& bytes, AnswerSink& sink) {
  const auto done = chunks_->feed(bytes, body_);
  if (!done) return broken_answer(done.error().why);
  if (*done) finish(body_, sink);
  return {};
}

void HttpAnswerReader::finish(std::string_view body, AnswerSink& sink) {
  state_ = ReadState::head;
  sink.on_answer(status_, body);
}

}  // namespace fairlead::load
