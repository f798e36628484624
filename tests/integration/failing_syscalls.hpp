#pragma once

/// Replaces `read`, `write` and `send` of this program. Counts the calls; the Nth call and all later ones on its
/// descriptor fail, as on a closed connection.
namespace fairlead::test {

enum class FailureKind {
  none,   ///< Count only.
  reset,  ///< Reads fail with ECONNRESET, writes with EPIPE.
  eof,    ///< Reads return 0, writes fail with EPIPE.
};

/// Active for this thread's pipes and sockets during its lifetime.
class FailingSyscalls {
 public:
  FailingSyscalls(FailureKind how, int after);
  FailingSyscalls(const FailingSyscalls&) = delete;
  FailingSyscalls& operator=(const FailingSyscalls&) = delete;
  ~FailingSyscalls();

  /// The number of operations so far.
  int count() const;
  bool cut() const;
};

}  // namespace fairlead::test
