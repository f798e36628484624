#pragma once

#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/session/service.hpp>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "gateway/caller_id.hpp"

namespace fairlead::gateway {

class Visits;

/// A call under way at a server. A local of the coroutine that makes it, and ended before that returns.
class Visit {
 public:
  Visit(Visits& all, const session::Call& call);
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit();

  const session::Call& call() const { return call_; }
  CallerId caller() const { return attributed_caller(call_.context); }
  void set_id(const jsonrpc::Id& id) { id_ = id; }
  const std::optional<jsonrpc::Id>& id() const { return id_; }

  /// Puts a question of the server's to whoever makes the call. Ends with `closed` when the call ends first.
  Task<Result<session::Reply>> ask(std::string method, json::Payload params);

  /// Tells whoever makes the call, where there is room for it. What is thrown on the way ends no more than that.
  void tell(std::string_view method, const json::Payload& params) const;

  /// What a server has asked for that the caller cannot do.
  struct Lack {
    std::string method;
    std::string capability;  ///< As JSON.
  };
  void lacks(std::string method, std::string capability) { lack_ = {std::move(method), std::move(capability)}; }
  const std::optional<Lack>& lack() const { return lack_; }

  /// Whether it only asks for a list.
  bool lists() const { return call_.method.ends_with("/list"); }
  /// Whether a question of the server's waits for the caller's answer.
  bool waits() const { return waiting_ && *waiting_ != 0; }

  /// When the server last waited for an answer of the caller's: now, while it does.
  TimePoint waited_for_caller() const;

  /// Whether the server has asked anything; if not, there is nothing to end.
  bool was_asked() const { return questions_ != nullptr; }
  /// Gives up on questions nobody needs the answers of any more. To be awaited at the end.
  Task<void> end();

 private:
  friend class Visits;
  struct Question;
  static Task<void> put(session::Backchannel& back, std::shared_ptr<Question> question);

  Visits& all_;
  const session::Call& call_;
  std::optional<jsonrpc::Id> id_;
  std::unique_ptr<TaskScope> questions_;  // Most calls have none.
  // Shared, because who asked may learn of the answer after the call has ended.
  std::shared_ptr<std::size_t> waiting_;
  std::shared_ptr<TimePoint> answered_;  // The last question; shared for the same reason.
  TimePoint last_question_ = {};
  std::optional<Lack> lack_;
  std::list<Visit*>::iterator place_;
};

/// The calls under way at one server.
class Visits {
 public:
  explicit Visits(Loop loop) : loop_(std::move(loop)) {}

  /// The call that the server knows by this id; null if there is none.
  Visit* find(const jsonrpc::Id& id) const;

  /// Of a caller's calls the one that a message without an id belongs to. A call that waits for an answer is silent, so
  /// it does not count while there are others. Null where several of the caller's sessions may be meant.
  Visit* latest_of(const CallerId& caller) const;

  /// Whether a session has calls under way.
  bool has(std::uint64_t conversation) const;

  /// Who has calls under way. Whoever only asks for a list is left out: the list is nobody's own.
  std::set<CallerId> callers() const;
  std::set<CallerId> callers_of_lists() const;

  /// How long another client should wait before it calls: a server that has just asked something may have more to ask
  /// for the same call, and that could not be told apart.
  Duration restless(std::uint64_t conversation) const;

  std::size_t count() const { return all_.size(); }
  /// The latest key of a session with calls under way that is not this one; 0 for none.
  std::uint64_t newest_besides(std::uint64_t conversation) const;
  /// In the order in which they came.
  const std::list<Visit*>& under_way() const { return all_; }
  const Loop& loop() const { return loop_; }

 private:
  friend class Visit;
  Loop loop_;
  std::list<Visit*> all_;
  std::size_t asked_ = 0;  // Of them, those whose callers were asked something.
};

}  // namespace fairlead::gateway
