#include <fairlead/gateway/record.hpp>
#include <utility>

#include "gateway/record/tape.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

struct RecordedAttendance final : session::Attendance {
  RecordedAttendance(std::shared_ptr<Tape> on, std::uint64_t of) : tape(std::move(on)), conversation(of) {}
  RecordedAttendance(const RecordedAttendance&) = delete;
  RecordedAttendance& operator=(const RecordedAttendance&) = delete;
  ~RecordedAttendance() override {
    rest.reset();
    tape->close(conversation);
  }

  std::shared_ptr<Tape> tape;
  std::uint64_t conversation;
  std::unique_ptr<Attendance> rest;
};

/// Ends a line's counterpart in any case: whoever is cancelled ends by an exception.
template <class End>
class RecordedEnd {
 public:
  explicit RecordedEnd(End end) : end_(std::move(end)) {}
  RecordedEnd(const RecordedEnd&) = delete;
  RecordedEnd& operator=(const RecordedEnd&) = delete;
  ~RecordedEnd() {
    if (!done_) end_(fail(ErrorKind::cancelled, "cancelled"));
  }
  void with(const Result<Reply>& outcome) {
    done_ = true;
    end_(outcome);
  }

 private:
  End end_;
  bool done_ = false;
};

class Recorder final : public TwoWayMiddleware {
 public:
  explicit Recorder(std::shared_ptr<Tape> tape) : tape_(std::move(tape)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    RecordedEnd end([tape = tape_, &call, &next, number = tape_->begin(call)](const Result<Reply>& outcome) {
      tape->end(number, call, outcome, next.self());
    });
    auto reply = co_await next.call(call);
    end.with(reply);
    co_return reply;
  }

  Task<void> notify(session::Notice& notice, Service& next) override {
    tape_->notice(notice);
    return next.notify(notice);
  }

  std::unique_ptr<session::Attendance> attend(session::Conversation conversation, Service& next) override {
    tape_->open(conversation);
    auto attendance = std::make_unique<RecordedAttendance>(tape_, conversation.key);
    attendance->rest = next.attend(std::move(conversation));
    return attendance;
  }

  Task<Result<Reply>> ask_back(Call& question, Service& client) override {
    RecordedEnd end([tape = tape_, &question, number = tape_->ask(question)](const Result<Reply>& outcome) {
      tape->answer(number, question, outcome);
    });
    auto answer = co_await client.call(question);
    end.with(answer);
    co_return answer;
  }

  bool tell_back(session::Notice& notice) override {
    tape_->tell(notice);
    return true;
  }

 private:
  std::shared_ptr<Tape> tape_;
};

}  // namespace

Result<std::unique_ptr<Middleware>> record(RecordOptions options, Loop loop) {
  auto file = RecordFile::create(options.path, options.force, loop.log);
  if (!file) return std::unexpected(std::move(file.error()));
  auto tape = std::make_shared<Tape>(std::move(*file), options, loop);
  return std::make_unique<Recorder>(std::move(tape));
}

}  // namespace fairlead::gateway
