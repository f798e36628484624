#pragma once

#include <fairlead/base/result.hpp>
#include <optional>
#include <vector>

#include "http/chunked.hpp"

namespace fairlead::load {

/// Receives responses. The arguments are valid during the call only.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;

  /// `body` is the complete HTTP body (all events of a stream), else one message.
  virtual void on_answer(std::uint16_t status, std::string_view body) = 0;
};

/// Extracts responses from the bytes of one connection, in pieces of any size.
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;

  /// After an error the connection cannot be used any more.
  virtual Result<void> feed(std::string_view bytes, AnswerSink& sink) = 0;
};

class HttpAnswerReader final : public AnswerReader {
 public:
  Result<void> feed(std::string_view bytes, AnswerSink& sink) override;

  /// The session id of the last response; empty if it had none.
  const std::string& session() const { return session_; }
  /// True after the head of a response until its body is complete.
  bool in_body() const { return state_ != ReadState::head; }
  std::uint16_t status() const { return status_; }

 private:
  enum class ReadState : std::uint8_t { head, counted, chunked };

  Result<void> read_head(std::string_view& bytes);
  Result<void> begin_body();
  void read_counted(std::string_view& bytes, AnswerSink& sink);
  Result<void> read_chunks(std::string_view& bytes, AnswerSink& sink);
  void finish(std::string_view body, AnswerSink& sink);

  ReadState state_ = ReadState::head;
  std::uint16_t status_ = 0;
  std::uint64_t length_ = 0;
  std::string head_, body_, session_;
  std::vector<http::HeaderView> headers_;
  std::optional<http::ChunkedDecoder> chunks_;
};

/// Reads newline-delimited messages.
class LineAnswerReader final : public AnswerReader {
 public:
  Result<void> feed(std::string_view bytes, AnswerSink& sink) override;

 private:
  std::string partial_;
};

/// Reads text frames, also fragmented. Ignores pings: runs are too short for a ping timeout.
class FrameAnswerReader final : public AnswerReader {
 public:
  Result<void> feed(std::string_view bytes, AnswerSink& sink) override;

 private:
  /// Size of the first frame in bytes; 0 if it is incomplete.
  Result<std::size_t> read_frame(std::string_view bytes, AnswerSink& sink);

  std::string partial_, message_;
};

}  // namespace fairlead::load
