#include "support/fake_host.hpp"

#include <fairlead/json/object_edit.hpp>

#include "support/messages.hpp"

namespace fairlead::test {

Task<Result<void>> Talk::say(jsonrpc::Message message, std::optional<jsonrpc::Id> related_to) {
  return transport->send({std::move(message), std::move(related_to)});
}

class FakeHost::FakeHosted final : public transport::Hosted {
 public:
  FakeHosted(FakeHost& host, std::shared_ptr<Talk> talk) : host_(host), talk_(std::move(talk)) {}
  ~FakeHosted() override { talk_->transport = nullptr; }

  Task<void> run() override {
    while (true) {
      auto received = co_await talk_->transport->receive();
      if (!received) co_return;
      auto replies = hear(std::move(*received));
      for (auto& reply : replies) co_await talk_->transport->send(std::move(reply));
    }
  }
  void open() override { talk_->open = true; }
  void take(transport::Received&& received) override {
    auto replies = hear(std::move(received));
    for (auto& reply : replies) talk_->transport->send_now(reply);
  }
  Task<void> end() override {
    talk_->open = false;
    co_return;
  }
  bool is_behind() const override { return talk_->behind; }
  Task<void> caught_up() override {
    const auto talk = talk_;
    talk->caught_up = std::make_shared<Promise<bool>>();
    const auto told = talk->caught_up;
    co_await told->wait(false);
  }
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request) override { return host_.find_now(request); }
  const protocol::Revision* revision() const override { return talk_->revision; }
  void finish() noexcept override { close(); }
  void close() noexcept override {
    talk_->closed = true;
    if (talk_->transport) talk_->transport->close();
  }

 private:
  Replies hear(transport::Received received) {
    talk_->heard.push_back(text(received));
    auto* message = std::get_if<jsonrpc::Message>(&received);
    const auto* request = message ? std::get_if<jsonrpc::Request>(message) : nullptr;
    return request ? host_.replies(*request, *talk_) : Replies{};
  }

  FakeHost& host_;
  std::shared_ptr<Talk> talk_;
};

std::unique_ptr<transport::Hosted> FakeHost::open(Loop, transport::Transport& transport, transport::Guest guest) {
  talks_.push_back(std::make_shared<Talk>());
  talks_.back()->transport = &transport;
  talks_.back()->guest = std::move(guest);
  return std::make_unique<FakeHosted>(*this, talks_.back());
}

std::optional<jsonrpc::Message> FakeHost::find_now(const jsonrpc::Request& request) const {
  const auto found = now_.find(request.method);
  if (found == now_.end()) return std::nullopt;
  return jsonrpc::Response{request.id, json::Payload::trusted(found->second)};
}

FakeHost::Replies FakeHost::replies(const jsonrpc::Request& request, Talk& talk) {
  if (const auto found = scripts_.find(request.method); found != scripts_.end()) return found->second(request);
  if (request.method != "initialize") return {};
  auto named = std::string(json::member_of(request.params.text(), "protocolVersion"));
  if (named.size() >= 2) named = named.substr(1, named.size() - 2);
  talk.revision = &protocol::negotiate(named);
  Replies greeting;
  greeting.push_back({jsonrpc::Response{
      request.id, json::Payload::trusted(R"({"protocolVersion":")" + std::string(talk.revision->name) + "\"}")}});
  return greeting;
}

}  // namespace fairlead::test
