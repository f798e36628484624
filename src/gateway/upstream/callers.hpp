#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "gateway/caller_id.hpp"

namespace fairlead::gateway {

/// Who has used the connection to a server since it began: what the server says without naming a request may have been
/// caused by any of them, so that it belongs to a caller with certainty only where there is no other. On one loop.
///
/// A principal counts until the connection begins anew. A session without a principal counts while it is open, and
/// after its end for the sessions that were open beside it: who comes later may be the same person, who has returned.
class Callers {
 public:
  /// The caller makes a call that the server may refer to.
  void add(const CallerId& caller);

  /// A session without a principal has ended. `newest` is the latest key of the others that are open, 0 for none.
  void remove_session(std::uint64_t session, std::uint64_t newest);

  /// The connection begins anew: nobody has used it.
  void reset();

  bool any_since_start() const { return any_; }
  bool contains(const CallerId& caller) const { return all_.contains(caller); }
  const std::set<CallerId>& all() const { return all_; }

  /// Whether somebody who is gone may have caused what the server says now.
  bool may_be_of_the_gone(const CallerId& caller) const;

 private:
  std::set<CallerId> all_;
  std::uint64_t met_the_gone_ = 0;  // Sessions up to this key were open beside one that has ended.
  bool some_are_gone_ = false;
  bool any_ = false;
};

}  // namespace fairlead::gateway
