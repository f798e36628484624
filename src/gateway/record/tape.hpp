#pragma once

#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "gateway/record/line_taker.hpp"

namespace fairlead::gateway {

/// Makes lines of what happens at one place of a chain. On one loop.
class Tape {
 public:
  /// `hop` is what the place is called.
  Tape(std::shared_ptr<LineTaker> taker, std::string hop, Loop loop);

  bool wanted() const { return taker_->wanted(); }

  void open(const session::Conversation& conversation);
  void close(std::uint64_t conversation);

  /// The number of the call.
  std::uint64_t begin(const session::Call& call);
  void end(std::uint64_t number, const session::Call& call, const Result<session::Reply>& outcome,
           const protocol::Implementation* server);
  void notice(const session::Notice& notice);

  /// The number of the question.
  std::uint64_t ask(const session::Call& question);
  void answer(std::uint64_t number, const session::Call& question, const Result<session::Reply>& outcome);
  void tell(const session::Notice& notice);

 private:
  using Place = std::pair<std::uint64_t, std::string>;  // A conversation, and an id in it.

  RecordLine line(LineKind kind, Speaker from, std::uint64_t conversation) const;
  std::optional<std::uint64_t> call_at(std::uint64_t conversation, const std::optional<jsonrpc::Id>& id) const;

  std::shared_ptr<LineTaker> taker_;
  std::string hop_;
  Loop loop_;
  TimePoint start_;
  std::uint64_t calls_ = 0, asks_ = 0;
  std::map<Place, std::uint64_t> under_way_;
  std::map<std::uint64_t, std::string> callers_;  // As last told in a conversation.
  std::string server_;                            // The same of who signs.
};

}  // namespace fairlead::gateway
