#pragma once

#include <fairlead/base/log_sinks.hpp>
#include <fairlead/server.hpp>
#include <fairlead/server/http.hpp>
#include <fairlead/session/session.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integration/dialogue_tools.hpp"

namespace fairlead::gateway::test {

/// Lets everything in, and remembers what it was asked with.
class Witness final : public http::Gate {
 public:
  std::optional<http::Response> refuse(http::Request& request) const override {
    const std::lock_guard lock(mutex_);
    std::string all(request.target);
    for (const auto& header : request.headers)
      all += "\n" + std::string(header.name) + ": " + std::string(header.value);
    requests_.push_back(all + "\n\n" + request.body);
    return std::nullopt;
  }

  /// All of it in one text.
  std::string heard() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const auto& request : requests_) all += request + "\n";
    return all;
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return requests_.size();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::string> requests_;
};

/// A server of this process on a real port, by every way to speak MCP over HTTP, on a thread of its own.
class Served {
 public:
  explicit Served(server::HttpOptions options = {}) : options_(std::move(options)) {
    fairlead::test::offer_tools(app);
    app.tool("steps", "Reports progress", [](Context& context) -> Task<std::string> {
      for (int step = 1; step <= 3; ++step) co_await context.progress(step, 3);
      co_return "done";
    });
    options_.drain = std::chrono::milliseconds{10};
    options_.listen.gates.push_back(witness);
    start();
  }

  void start() {
    serving_.emplace(app, log_, options_, session::SessionOptions{});
    const auto started = serving_->start();
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    const auto own = serving_->url();
    options_.listen.port = static_cast<std::uint16_t>(std::stoi(own.substr(own.rfind(':') + 1)));
  }
  /// As if it had crashed: what it knew of its clients is gone.
  void restart() {
    stop();
    start();
  }
  void stop() { serving_.reset(); }

  std::uint16_t port() const { return options_.listen.port; }
  std::string url(const std::string& path = "/mcp", const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port()) + path;
  }

  Server app{"served", "1.0"};
  std::shared_ptr<Witness> witness = std::make_shared<Witness>();

 private:
  NullSink log_;
  server::HttpOptions options_;
  std::optional<server::HttpServing> serving_;
};

}  // namespace fairlead::gateway::test
