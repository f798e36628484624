#pragma once

#include <fairlead/session/service.hpp>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "base/bell.hpp"
#include "base/promise.hpp"
#include "gateway/record/line.hpp"

namespace fairlead::gateway {

/// Something that a server asked or told, until somebody looks at it.
struct Heard {
  LineKind kind = LineKind::tell;
  std::string method = {};
  json::Payload params = {};
  std::shared_ptr<Promise<Result<session::Reply>>> answer = {};  ///< Of a question.
};

/// Keeps what a server asks and tells: in the course of a call, or to a conversation.
class Ear final : public session::Backchannel, public session::Service {
 public:
  /// Rings for each thing that is heard; outlives it.
  explicit Ear(Bell& bell) : bell_(bell) {}

  Task<Result<session::Reply>> ask(std::string method, json::Payload params) override {
    const auto answer = std::make_shared<Promise<Result<session::Reply>>>();
    hear({.kind = LineKind::ask, .method = std::move(method), .params = std::move(params), .answer = answer});
    Result<session::Reply> given_up = fail(ErrorKind::cancelled, "nobody waits for the answer any more");
    co_return co_await answer->wait(std::move(given_up));
  }
  Task<Result<void>> tell(std::string method, json::Payload params) override {
    hear({.kind = LineKind::tell, .method = std::move(method), .params = std::move(params)});
    co_return Result<void>();
  }
  bool tell_now(std::string_view method, const json::Payload& params) override {
    hear({.kind = LineKind::tell, .method = std::string(method), .params = params});
    return true;
  }

  Task<Result<session::Reply>> call(session::Call& question) override { return ask(question.method, question.params); }
  Task<void> notify(session::Notice& notice) override {
    hear({.kind = LineKind::tell, .method = notice.method, .params = notice.params});
    co_return;
  }

  std::list<Heard> heard = {};

 private:
  void hear(Heard thing) {
    heard.push_back(std::move(thing));
    bell_.ring();
  }

  Bell& bell_;
};

}  // namespace fairlead::gateway
