#pragma once

/// Cuts a wire under whatever uses it: this program's own `read`, `write` and `send` count, and from the Nth on those
/// of the descriptor that got there fail, as on a connection that is gone.
namespace fairlead::test {

enum class Cut {
  none,   ///< Only counts.
  reset,  ///< ECONNRESET to a reader, EPIPE to a writer.
  eof,    ///< An end in good order to a reader, EPIPE to a writer.
};

/// Counts the operations of this thread on pipes and sockets while it lives.
class CutWire {
 public:
  CutWire(Cut how, int after);
  CutWire(const CutWire&) = delete;
  CutWire& operator=(const CutWire&) = delete;
  ~CutWire();

  /// How many operations there were.
  int count() const;
  bool cut() const;
};

}  // namespace fairlead::test
