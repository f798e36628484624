#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <string>

#include "transport/http_server/brought.hpp"
#include "transport/http_server/lane.hpp"

namespace fairlead::transport {

/// A conversation of one stream out and any number of posts in.
class SseSession final : public Brought {
 public:
  SseSession(std::string id, std::string principal)
      : id_(std::move(id)), principal_(std::move(principal)), lane_(std::make_shared<Lane>()) {}

  void host(std::unique_ptr<Hosted> hosted) { hosted_ = std::move(hosted); }
  Hosted& hosted() { return *hosted_; }

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }
  bool busy() const { return true; }
  const std::shared_ptr<Lane>& lane() const { return lane_; }

  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_now(Outgoing& outgoing) override;
  void close() noexcept override;

 private:
  std::string id_;
  std::string principal_;
  std::shared_ptr<Lane> lane_;
  std::unique_ptr<Hosted> hosted_;
  bool closed_ = false;
};

}  // namespace fairlead::transport
