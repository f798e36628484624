#include "gateway/observe/call_log.hpp"

#include "gateway/observe/call_line.hpp"

namespace fairlead::gateway {

CallLog::Key CallLog::key_of(const session::Call& call) {
  return {call.context.conversation, call.context.id ? call.context.id->to_json() : std::string()};
}

void CallLog::begins(session::Call& call, Sight& sight) {
  if (sight.hop == Hop::front) {
    under_way_[key_of(call)] = {};
    return;
  }
  const auto found = under_way_.find(key_of(call));
  if (found != under_way_.end() && found->second.asked++ == 0) found->second.since = sight.begun;
}

void CallLog::ended(session::Call& call, const Sight& sight) {
  const auto found = under_way_.find(key_of(call));
  if (sight.hop == Hop::server) {
    // What outlives its caller, or began before one who uses the same id, is in no line.
    if (found == under_way_.end() || found->second.asked == 0) return;
    if (--found->second.asked == 0) found->second.at_servers += sight.ended - found->second.since;
    return;
  }
  const auto at_servers = found != under_way_.end() ? found->second.at_servers : Duration{};
  if (found != under_way_.end()) under_way_.erase(found);
  log(log_, LogLevel::info, "call", [&] { return call_line(sight, json_, at_servers); });
}

}  // namespace fairlead::gateway
