#pragma once

#include <fairlead/base/log.hpp>
#include <map>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// Logs one line per client call, with the time spent at servers and in the chain.
class AccessLog final : public Observer {
 public:
  /// `log` outlives it.
  AccessLog(LogSink& log, bool json) : log_(log), json_(json) {}

  void on_start(session::Call& call, CallRecord& record) override;
  void on_end(session::Call& call, const CallRecord& record) override;

 private:
  /// Session and request id.
  using Key = std::pair<std::uint64_t, std::string>;

  /// Time that a call spends at servers. Concurrent requests to several servers count once.
  struct ServerTime {
    std::size_t pending = 0;  // Pending requests to servers,
    TimePoint since = {};     // and when the first of them started.
    Duration at_servers = {};
  };

  static Key key_of(const session::Call& call);

  LogSink& log_;
  bool json_;
  std::map<Key, ServerTime> pending_;
};

}  // namespace fairlead::gateway
