#pragma once

#include "gateway/record/record_line.hpp"

namespace fairlead::gateway {

/// Receives the lines of one point of a chain, with secrets.
class LineSink {
 public:
  virtual ~LineSink() = default;

  /// False if new lines are not needed. Ends of calls that were reported are always written.
  virtual bool wanted() const { return true; }

  /// Called instead of writing the end of a session that is not needed.
  virtual void forget(std::uint64_t) {}

  /// `is_metadata`: a reply to a method for which `is_metadata` holds.
  virtual void write(RecordLine line, bool is_metadata) = 0;
};

}  // namespace fairlead::gateway
