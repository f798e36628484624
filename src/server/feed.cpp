#include "server/feed.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace fairlead::server {
namespace asio = boost::asio;

namespace {

/// What a change is called on the wire, and its params.
session::Notice notice_of(const Change& change) {
  if (change.contents) {
    protocol::ResourceUriParams params;
    params.uri = change.name;
    return {.method = std::string(protocol::ResourceUpdated::method), .params = json::to_payload(params)};
  }
  switch (change.kind) {
    case Kind::tool: return {.method = std::string(protocol::ToolListChanged::method)};
    case Kind::prompt: return {.method = std::string(protocol::PromptListChanged::method)};
    case Kind::resource:
    case Kind::resource_template: break;
  }
  return {.method = std::string(protocol::ResourceListChanged::method)};
}

}  // namespace

Feed::Feed(asio::any_io_executor executor, std::function<bool(const Change&)> wanted)
    : timer_(executor, asio::steady_timer::time_point::max()),
      wanted_(std::move(wanted)),
      door_(std::make_shared<Door>(std::move(executor))) {}

Feed::~Feed() {
  door_->with([](auto& executor) { executor.reset(); });
}

void Feed::open(const std::shared_ptr<Observers>& observers) {
  subscription_ = observers->add(observers, [weak = weak_from_this(), door = door_](const Change& change) {
    door->with([&](const auto& executor) {
      if (!executor) return;
      asio::post(*executor, [weak, change] {
        if (const auto feed = weak.lock()) feed->push(change);
      });
    });
  });
}

void Feed::finish() {
  finished_ = true;
  timer_.cancel();
}

void Feed::push(const Change& change) {
  if (!wanted_(change)) return;
  auto notice = notice_of(change);
  const auto same = [&](const session::Notice& other) {
    return other.method == notice.method && other.params.text() == notice.params.text();
  };
  if (std::ranges::any_of(waiting_, same)) return;
  waiting_.push_back(std::move(notice));
  timer_.cancel();
}

Task<Result<session::Notice>> Feed::next() {
  const auto self = shared_from_this();
  while (waiting_.empty()) {
    if (finished_) co_return fail(ErrorKind::closed, "nothing more will change");
    co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return fail(ErrorKind::cancelled, "nobody listens");
  }
  auto notice = std::move(waiting_.front());
  waiting_.pop_front();
  co_return notice;
}

}  // namespace fairlead::server
