#include "gateway/observe/access_log.hpp"

#include "gateway/observe/access_log_line.hpp"

namespace fairlead::gateway {

AccessLog::Key AccessLog::key_of(const session::Call& call) {
  return {call.context.session_key, call.context.id ? call.context.id->to_json() : std::string()};
}

void AccessLog::on_start(session::Call& call, CallRecord& record) {
  if (record.hop == Hop::front) {
    pending_[key_of(call)] = {};
    return;
  }
  const auto found = pending_.find(key_of(call));
  if (found != pending_.end() && found->second.pending++ == 0) found->second.since = record.start;
}

void AccessLog::on_end(session::Call& call, const CallRecord& record) {
  const auto found = pending_.find(key_of(call));
  if (record.hop == Hop::server) {
    // A request that outlives its call, or a call that reuses an id, is not counted.
    if (found == pending_.end() || found->second.pending == 0) return;
    if (--found->second.pending == 0) found->second.at_servers += record.end - found->second.since;
    return;
  }
  const auto at_servers = found != pending_.end() ? found->second.at_servers : Duration{};
  if (found != pending_.end()) pending_.erase(found);
  log(log_, LogLevel::info, "call", [&] { return access_log_line(record, json_, at_servers); });
}

}  // namespace fairlead::gateway
