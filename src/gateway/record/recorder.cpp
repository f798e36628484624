#include "gateway/record/recorder.hpp"

#include <chrono>
#include <fairlead/gateway/record.hpp>
#include <utility>

#include "gateway/record/hiding.hpp"
#include "gateway/record/record_file.hpp"
#include "gateway/wall_time.hpp"

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
    return tape_->wanted() ? recorded(call, next) : next.call(call);
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
    return tape_->wanted() ? asked(question, client) : client.call(question);
  }

  bool tell_back(session::Notice& notice) override {
    tape_->tell(notice);
    return true;
  }

 private:
  Task<Result<Reply>> recorded(Call& call, Service& next) {
    RecordedEnd end([tape = tape_, &call, &next, number = tape_->begin(call)](const Result<Reply>& outcome) {
      tape->end(number, call, outcome, next.self());
    });
    auto reply = co_await next.call(call);
    end.with(reply);
    co_return reply;
  }

  Task<Result<Reply>> asked(Call& question, Service& client) {
    RecordedEnd end([tape = tape_, &question, number = tape_->ask(question)](const Result<Reply>& outcome) {
      tape->answer(number, question, outcome);
    });
    auto answer = co_await client.call(question);
    end.with(answer);
    co_return answer;
  }

  std::shared_ptr<Tape> tape_;
};

/// What is heard goes to a file, with secrets hidden.
class ToFile final : public LineTaker {
 public:
  ToFile(std::shared_ptr<RecordFile> file, const RecordOptions& options) : file_(std::move(file)) {
    for (const auto& key : options.keys) hiding_.add_key(key);
    hiding_.add_secrets(options.secrets);
    RecordHead head{.mcpl = recording_version, .fairlead = FAIRLEAD_VERSION, .hop = options.hop};
    head.started = utc_text(std::chrono::system_clock::now());
    file_->write(json::encode(head));
  }

  void take(RecordLine line, bool is_metadata) override { file_->write(hiding_.written(std::move(line), is_metadata)); }

 private:
  std::shared_ptr<RecordFile> file_;
  Hiding hiding_;
};

}  // namespace

std::unique_ptr<Middleware> recorder(std::shared_ptr<Tape> tape) {
  return std::make_unique<Recorder>(std::move(tape));
}

Result<RecordPlaces> record_places(const RecordOptions& options, Loop loop) {
  auto file = RecordFile::create(options.path, options.force, loop.log);
  if (!file) return std::unexpected(std::move(file.error()));
  return [taker = std::make_shared<ToFile>(std::move(*file), options), loop](std::string hop) {
    return recorder(std::make_shared<Tape>(taker, std::move(hop), loop));
  };
}

Result<std::unique_ptr<Middleware>> record(RecordOptions options, Loop loop) {
  auto places = record_places(options, std::move(loop));
  if (!places) return std::unexpected(std::move(places.error()));
  return (*places)(std::move(options.hop));
}

}  // namespace fairlead::gateway
