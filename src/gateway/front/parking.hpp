#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <fairlead/session/service.hpp>
#include <map>
#include <memory>
#include <optional>

namespace fairlead::gateway {

struct ParkingOptions {
  std::size_t places = 1024;                     ///< Calls that wait for their callers to come back.
  Duration patience = std::chrono::minutes{10};  ///< How long one waits.
};

struct Parked;

/// Keeps calls alive whose callers have to come back with answers: a server asked in the middle of a call, and this
/// caller can be asked by a result only. On one loop.
///
/// The call goes on where it was; the caller gets the questions and a sealed state that opens for it and for the same
/// request alone, once, and for as long as the call waits.
class Parking {
 public:
  /// `next` outlives it.
  Parking(Loop loop, session::Service& next, ParkingOptions options);
  Parking(const Parking&) = delete;
  Parking& operator=(const Parking&) = delete;
  ~Parking();

  /// Whether the caller can only be asked by the result of this call.
  bool takes(const session::Call& call) const;

  Task<Result<session::Reply>> call(session::Call& call);

  Task<void> stop();

 private:
  Task<Result<session::Reply>> attend(std::shared_ptr<Parked> parked, session::Call& call);
  Task<Result<session::Reply>> begin(session::Call& call);
  Task<void> run(std::shared_ptr<Parked> parked);
  Result<session::Reply> park(Parked& parked, const session::Call& call);

  Loop loop_;
  session::Service& next_;
  ParkingOptions options_;
  protocol::StateSeal seal_;
  TaskScope scope_;
  std::map<std::uint64_t, std::shared_ptr<Parked>> parked_;
  std::uint64_t last_ = 0;
};

}  // namespace fairlead::gateway
