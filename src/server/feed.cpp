#include "server/feed.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
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

Feed::Feed(asio::any_io_executor executor, std::function<bool(const Change&)> wanted, std::function<void()> ready)
    : wanted_(std::move(wanted)), ready_(std::move(ready)), door_(std::make_shared<Door>(std::move(executor))) {}

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

void Feed::push(const Change& change) {
  if (!wanted_(change)) return;
  auto notice = notice_of(change);
  const auto same = [&](const session::Notice& other) {
    return other.method == notice.method && other.params.text() == notice.params.text();
  };
  if (std::ranges::any_of(waiting_, same)) return;
  waiting_.push_back(std::move(notice));
  ready_();
}

std::optional<session::Notice> Feed::take() {
  if (waiting_.empty()) return std::nullopt;
  auto notice = std::move(waiting_.front());
  waiting_.pop_front();
  return notice;
}

}  // namespace fairlead::server
