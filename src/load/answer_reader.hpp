#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/chunked.hpp"

namespace fairlead::load {

/// Gets what a server has answered, good for the time of the call.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;

  /// Over HTTP the whole body, which for a stream of events is all of them; else one message.
  virtual void on_answer(std::uint16_t status, std::string_view body) = 0;
};

/// Finds answers in the bytes of one connection, however they are cut.
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;

  /// An error means that the connection is of no use any more.
  virtual Result<void> feed(std::string_view bytes, AnswerSink& sink) = 0;
};

class HttpReader final : public AnswerReader {
 public:
  Result<void> feed(std::string_view bytes, AnswerSink& sink) override;

  /// What the last answer named as its session; empty for none.
  const std::string& session() const { return session_; }
  /// Whether the head of an answer has arrived whose body goes on.
  bool in_body() const { return state_ != State::head; }
  std::uint16_t status() const { return status_; }

 private:
  enum class State : std::uint8_t { head, counted, chunked };

  Result<void> take_head(std::string_view& bytes);
  Result<void> begin_body();
  void take_counted(std::string_view& bytes, AnswerSink& sink);
  Result<void> take_chunks(std::string_view& bytes, AnswerSink& sink);
  void finish(std::string_view body, AnswerSink& sink);

  State state_ = State::head;
  std::uint16_t status_ = 0;
  std::uint64_t length_ = 0;
  std::string head_, body_, session_;
  std::vector<http::HeaderView> headers_;
  std::optional<http::ChunkedDecoder> chunks_;
};

/// Messages that end with a newline.
class LineReader final : public AnswerReader {
 public:
  Result<void> feed(std::string_view bytes, AnswerSink& sink) override;

 private:
  std::string begun_;
};

/// Text frames of a server, whole or in fragments. Pings go unanswered: no server gives up on that within a run.
class WebSocketReader final : public AnswerReader {
 public:
  Result<void> feed(std::string_view bytes, AnswerSink& sink) override;

 private:
  /// How many bytes the first frame took; 0 if it is not whole.
  Result<std::size_t> take_frame(std::string_view bytes, AnswerSink& sink);

  std::string begun_, message_;
};

}  // namespace fairlead::load
