#pragma once

#include <cstddef>
#include <fairlead/http/handler.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// Handlers by the beginning of their paths, which come and go while requests are served. On one loop.
class Doors final : public http::Handler {
 public:
  /// Where else those go who have come through other gateways; null for the same place as all.
  struct Via {
    std::function<std::shared_ptr<http::Handler>(const std::string& prefix, const std::string& principal,
                                                 const std::string& via)>
        enter;
    std::function<Task<void>()> close;
  };

  /// Requests that have come past `us`, as their `Via` says, go round in a circle, and are refused.
  explicit Doors(std::string us = {}) : us_(std::move(us)) {}

  void set_via(Via via) { via_ = std::move(via); }

  /// `prefix` is empty for what no other has, or like `/s/git`.
  void open(std::string prefix, std::shared_ptr<http::Handler> handler);

  /// No request finds it any more; those under way go on. The caller closes what is returned.
  std::shared_ptr<http::Handler> shut(std::string_view prefix);

  /// Streams that clients read, and sockets: what was opened by GET and has not ended.
  std::size_t streams() const { return streams_; }

  std::optional<http::Response> answer_now(http::Request& request) override;
  Task<void> serve(http::Exchange& exchange) override;
  std::optional<std::size_t> home(const http::Request& request) const override;
  Task<void> close() override;

 private:
  using Handlers = std::map<std::string, std::shared_ptr<http::Handler>, std::less<>>;
  Handlers::const_iterator find_prefix(std::string_view path) const;
  std::shared_ptr<http::Handler> find(const http::Request& request) const;
  bool was_here(const std::vector<std::string>& gateways) const;

  std::string us_;
  Via via_;
  std::size_t streams_ = 0;
  Handlers doors_;
};

/// The doors, as the handler that a listener owns.
class Entrance final : public http::Handler {
 public:
  explicit Entrance(std::shared_ptr<Doors> doors) : doors_(std::move(doors)) {}

  std::optional<http::Response> answer_now(http::Request& request) override { return doors_->answer_now(request); }
  Task<void> serve(http::Exchange& exchange) override { return doors_->serve(exchange); }
  std::optional<std::size_t> home(const http::Request& request) const override { return doors_->home(request); }
  Task<void> close() override { return doors_->close(); }

 private:
  std::shared_ptr<Doors> doors_;
};

}  // namespace fairlead::gateway
