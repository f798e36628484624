#include "gateway/room.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

session::SessionOptions session_options(const std::string& name, Duration question_timeout) {
  session::SessionOptions options;
  options.name = name;
  options.question_timeout = question_timeout;
  return options;
}

MergeOptions passing_one(MergeOptions options) {
  options.one_as_it_is = true;
  return options;
}

std::shared_ptr<session::Service> watched_front(session::Service& front, std::shared_ptr<const Observers> observers,
                                                const Loop& loop, const session::Service& origins) {
  if (!observers) return chain().then(front);
  const WatchPost post{.hop = Hop::front, .origins = &origins};
  return chain().then(std::make_shared<Watch>(std::move(observers), loop.timers.clock(), post)).then(front);
}

}  // namespace

Room::Room(Loop loop, std::string name, protocol::Implementation self, MergeOptions options, const FrontOptions& front,
           std::shared_ptr<const Observers> observers, std::shared_ptr<Tap> tap)
    : name_(std::move(name)),
      self_(std::move(self)),
      tasks_(loop.executor, loop.log, name_),
      merge_(loop, tasks_, {}, passing_one(std::move(options))),
      introduction_([this](const session::Call& call) { return describe(call); }, merge_),
      front_(loop, chain_, front),
      wire_(front_, loop.log, name_),
      watched_(watched_front(wire_, std::move(observers), loop, chain_)),
      tap_(*watched_, chain_, tap ? std::move(tap) : std::make_shared<Tap>(loop), name_),
      host_(tap_, loop.log, session_options(name_, front.question_timeout)) {
  set_chain(chain());
}

void Room::set_servers(std::vector<Seat> seats) {
  only_ = seats.size() == 1 ? seats.front().member : nullptr;
  merge_.replace(std::move(seats));
}

void Room::set_chain(const Chain& chain) {
  chain_.set(chain.then(static_cast<session::Service&>(introduction_)));
}

Task<Result<client::ServerDescription>> Room::describe(const session::Call& call) {
  const auto only = only_;
  if (only) co_return co_await only->describe_for(call);
  if (call.context.revision) merge_.expect(*call.context.revision);
  auto all = co_await merge_.merged_description();
  if (all) all->info = self_;
  co_return all;
}

Task<void> Room::stop() {
  co_await front_.stop();
  tasks_.cancel();
  co_await tasks_.join();
}

std::shared_ptr<http::Handler> door_to(std::shared_ptr<Room> room, std::shared_ptr<http::Handler> door) {
  struct Kept {
    std::shared_ptr<Room> room;  // Destroyed after the handler, which refers to it.
    std::shared_ptr<http::Handler> door;
  };
  const auto kept = std::make_shared<Kept>(Kept{.room = std::move(room), .door = std::move(door)});
  return {kept, kept->door.get()};
}

}  // namespace fairlead::gateway
