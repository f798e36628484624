#pragma once

#include <fairlead/base/event_loop.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "gateway/record/line_sink.hpp"

namespace fairlead::gateway {

/// Creates record lines at one point of a chain. On one loop.
class RecordLineBuilder {
 public:
  /// `hop` is the name of the point.
  RecordLineBuilder(std::shared_ptr<LineSink> sink, std::string hop, EventLoop loop);

  bool wanted() const { return sink_->wanted(); }

  void open(const session::SessionRef& session);
  void close(std::uint64_t session);

  /// Returns the number of the call.
  std::uint64_t call_started(const session::Call& call);
  void call_ended(std::uint64_t number, const session::Call& call, const Result<session::Reply>& outcome,
                  const protocol::Implementation* server);
  void notification(const session::Notification& notice);

  /// Returns the number of the server's call.
  std::uint64_t server_call_started(const session::Call& request);
  void server_call_ended(std::uint64_t number, const session::Call& request, const Result<session::Reply>& outcome);
  void server_notification(const session::Notification& notice);

 private:
  using CallKey = std::pair<std::uint64_t, std::string>;  // Session and request id.

  RecordLine line(LineKind kind, Sender from, std::uint64_t session) const;
  std::optional<std::uint64_t> call_at(std::uint64_t session, const std::optional<jsonrpc::Id>& id) const;

  std::shared_ptr<LineSink> sink_;
  std::string hop_;
  EventLoop loop_;
  TimePoint start_;
  std::uint64_t calls_ = 0, server_calls_ = 0;
  std::map<CallKey, std::uint64_t> pending_;
  std::map<std::uint64_t, std::string> callers_;  // Caller of the last call, by session.
  std::string server_;                            // Last server info.
};

}  // namespace fairlead::gateway
