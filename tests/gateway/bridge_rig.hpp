#pragma once

#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

#include "gateway/room.hpp"
#include "gateway/upstream/upstream.hpp"
#include "support/test_loop.hpp"

namespace fairlead::gateway::test {

using client::ClientOptions;
using client::Connection;
using Body = std::function<Task<Result<void>>(Connection&)>;

/// A server of this process behind a gateway on one loop, and clients in front of it.
class BridgeRig {
 public:
  /// `speaks` is the revision in which the gateway talks to the server.
  explicit BridgeRig(session::Service& server, std::string speaks = {}, UpstreamOptions options = {}) {
    options.client.revision = std::move(speaks);
    upstream_ = std::make_shared<Upstream>(loop_.loop(), client::Endpoint(server), std::move(options));
    room_ =
        std::make_unique<Room>(loop_.loop(), "gateway", protocol::Implementation{.name = "gateway"}, MergeOptions{});
    room_->set_servers({{.member = upstream_}});
  }
  BridgeRig(const BridgeRig&) = delete;
  BridgeRig& operator=(const BridgeRig&) = delete;
  ~BridgeRig() { loop_.run(stop()); }

  /// A client that speaks `revision`, for as long as `body` takes.
  Task<Result<void>> client(std::string revision, ClientOptions options, Body body) {
    options.revision = std::move(revision);
    options.cache = false;
    co_return co_await client::with_server(loop_.loop(), client::Endpoint(room_->service()), std::move(options), body);
  }
  void run(std::string revision, ClientOptions options, Body body) {
    const auto outcome = loop_.run(client(std::move(revision), std::move(options), std::move(body)));
    EXPECT_TRUE(outcome) << outcome.error().message;
  }

  fairlead::test::TestLoop& loop() { return loop_; }
  Upstream& upstream() { return *upstream_; }
  Room& room() { return *room_; }

 private:
  Task<bool> stop() {
    co_await room_->stop();
    co_await upstream_->stop();
    co_return true;
  }

  fairlead::test::TestLoop loop_;
  std::shared_ptr<Upstream> upstream_;
  std::unique_ptr<Room> room_;
};

}  // namespace fairlead::gateway::test
