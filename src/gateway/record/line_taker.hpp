#pragma once

#include "gateway/record/line.hpp"

namespace fairlead::gateway {

/// Somebody who gets the lines of what happens at one place of a chain, as they are: secrets and all.
class LineTaker {
 public:
  virtual ~LineTaker() = default;

  /// Whether anybody would look at a line that is made now. The end of what began while somebody did comes in any case.
  virtual bool wanted() const { return true; }

  /// Instead of the end of a conversation that nobody looks at.
  virtual void forget(std::uint64_t) {}

  /// `is_metadata`: the reply of a method for which `is_metadata` holds.
  virtual void take(RecordLine line, bool is_metadata) = 0;
};

}  // namespace fairlead::gateway
