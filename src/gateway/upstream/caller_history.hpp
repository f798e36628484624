#pragma once

#include <set>

#include "gateway/model/caller_id.hpp"

namespace fairlead::gateway {

/// The callers that have used a connection to a server. Any of them may have caused a message without a request id, so
/// the message can be attributed only if there is exactly one. Used on one event loop.
///
/// A principal is kept until the next connection. A session without a principal is kept while it is open. After its end
/// it still affects the sessions that were open at the same time; a later session may be the same client again.
class CallerHistory {
 public:
  /// Records a call that the server may refer to later.
  void add(const CallerId& caller);

  /// Called when a session without a principal ends. `newest` is the key of the newest other open session, 0 for none.
  void remove_session(std::uint64_t session, std::uint64_t newest);

  /// Called for a new connection.
  void reset();

  bool any_since_connect() const { return any_; }
  bool contains(const CallerId& caller) const { return all_.contains(caller); }
  const std::set<CallerId>& all() const { return all_; }

  /// Whether an ended session may have caused a message that would be attributed to this caller.
  bool may_come_from_ended_session(const CallerId& caller) const;

 private:
  std::set<CallerId> all_;
  std::uint64_t newest_overlapping_ = 0;  // Sessions up to this key were open together with one that has ended.
  bool any_ended_ = false;
  bool any_ = false;
};

}  // namespace fairlead::gateway
