#include "gateway/record/recorder.hpp"

#include <fairlead/gateway/record.hpp>
#include <utility>

#include "base/scope_exit.hpp"
#include "gateway/model/session_registration.hpp"
#include "gateway/model/utc_time.hpp"
#include "gateway/record/line_redactor.hpp"
#include "gateway/record/record_file.hpp"

namespace fairlead::gateway {
namespace {

Result<Reply> cancelled_reply() {
  return fail(ErrorKind::cancelled, "cancelled");
}

class Recorder final : public BidirectionalMiddleware {
 public:
  explicit Recorder(std::shared_ptr<RecordLineBuilder> builder) : builder_(std::move(builder)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return builder_->wanted() ? recorded(call, next) : next.call(call);
  }

  Task<void> notify(session::Notification& notice, Service& next) override {
    builder_->notification(notice);
    return next.notify(notice);
  }

  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef opened, Service& next) override {
    builder_->open(opened);
    const auto key = opened.key;
    // Ends before the recorded session.
    std::shared_ptr<session::SessionHook> inner = next.on_session_open(std::move(opened));
    return std::make_unique<SessionRegistration>([builder = builder_, key, inner = std::move(inner)]() mutable {
      inner.reset();
      builder->close(key);
    });
  }

  Task<Result<Reply>> on_server_request(Call& request, Service& client) override {
    return builder_->wanted() ? record_request(request, client) : client.call(request);
  }

  bool on_server_notification(session::Notification& notice) override {
    builder_->server_notification(notice);
    return true;
  }

 private:
  Task<Result<Reply>> recorded(Call& call, Service& next) {
    const auto builder = builder_;
    const auto number = builder->call_started(call);
    ScopeExit cancelled([&] { builder->call_ended(number, call, cancelled_reply(), next.server_info()); });
    auto reply = co_await next.call(call);
    cancelled.release();
    builder->call_ended(number, call, reply, next.server_info());
    co_return reply;
  }

  Task<Result<Reply>> record_request(Call& request, Service& client) {
    const auto builder = builder_;
    const auto number = builder->server_call_started(request);
    ScopeExit cancelled([&] { builder->server_call_ended(number, request, cancelled_reply()); });
    auto answer = co_await client.call(request);
    cancelled.release();
    builder->server_call_ended(number, request, answer);
    co_return answer;
  }

  std::shared_ptr<RecordLineBuilder> builder_;
};

/// Writes redacted lines to a file.
class FileLineSink final : public LineSink {
 public:
  FileLineSink(std::shared_ptr<RecordFile> file, const RecordOptions& options) : file_(std::move(file)) {
    for (const auto& key : options.keys) redactor_.add_key(key);
    redactor_.add_secrets(options.secrets);
    RecordHead head{.mcpl = recording_version, .fairlead = FAIRLEAD_VERSION, .hop = options.hop};
    head.started = utc_text(std::chrono::system_clock::now());
    file_->write(json::encode(head));
  }

  void write(RecordLine line, bool is_metadata) override {
    file_->write(redactor_.to_line(std::move(line), is_metadata));
  }

 private:
  std::shared_ptr<RecordFile> file_;
  LineRedactor redactor_;
};

}  // namespace

std::unique_ptr<Middleware> recorder(std::shared_ptr<RecordLineBuilder> builder) {
  return std::make_unique<Recorder>(std::move(builder));
}

Result<RecorderFactory> recorder_factory(const RecordOptions& options, EventLoop loop) {
  auto file = RecordFile::create(options.path, options.force, loop.log);
  if (!file) return std::unexpected(std::move(file.error()));
  return [sink = std::make_shared<FileLineSink>(std::move(*file), options), loop](std::string hop) {
    return recorder(std::make_shared<RecordLineBuilder>(sink, std::move(hop), loop));
  };
}

Result<std::unique_ptr<Middleware>> record(RecordOptions options, EventLoop loop) {
  auto places = recorder_factory(options, std::move(loop));
  if (!places) return std::unexpected(std::move(places.error()));
  return (*places)(std::move(options.hop));
}

}  // namespace fairlead::gateway
