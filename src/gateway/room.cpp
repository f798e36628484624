#include "gateway/room.hpp"

#include <utility>

namespace fairlead::gateway {
namespace {

session::SessionOptions session_options(const std::string& name) {
  session::SessionOptions options;
  options.name = name;
  return options;
}

MergeOptions passing_one(MergeOptions options) {
  options.one_as_it_is = true;
  return options;
}

}  // namespace

Room::Room(Loop loop, std::string name, protocol::Implementation self, MergeOptions options, const FrontOptions& front)
    : name_(std::move(name)),
      self_(std::move(self)),
      tasks_(loop.executor, loop.log, name_),
      merge_(loop, tasks_, {}, passing_one(std::move(options))),
      introduction_([this](const session::Call& call) { return describe(call); }, merge_),
      front_(loop, chain_, front),
      wire_(front_, loop.log, name_),
      host_(wire_, loop.log, session_options(name_)) {
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
  auto all = co_await merge_.merged_description();
  if (all) all->info = self_;
  co_return all;
}

Task<void> Room::stop() {
  co_await front_.stop();
  tasks_.cancel();
  co_await tasks_.join();
}

}  // namespace fairlead::gateway
