#pragma once

#include <chrono>
#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/store/event_log.hpp>
#include <fairlead/transport/host.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/http_server/brought.hpp"
#include "transport/http_server/lane.hpp"
#include "transport/http_server/pump.hpp"

namespace fairlead::transport {

/// What all sessions of an endpoint have in common; outlives them.
struct SessionTerms {
  store::EventLogLimits log = {};
  std::chrono::milliseconds retry = std::chrono::seconds{1};
  std::shared_ptr<store::RecentText> texts = std::make_shared<store::RecentText>();
};

/// One of a session's streams, read or not: the answer to a POST, or (number 0) what the server says unasked.
struct HttpStream {
  std::uint32_t number = 0;
  std::vector<jsonrpc::Id> awaited = {};  ///< The client's requests whose answers belong here.
  std::shared_ptr<Lane> lane = {};        ///< Null while nobody reads it.
  std::uint64_t last = 0;                 ///< The newest event, and
  std::uint64_t given = 0;                ///< the newest that went to a connection.
  bool begun = false;                     ///< The client has seen an id of it, so it can come back for the rest.
};

/// A conversation that lives from `initialize` to DELETE over any number of requests: brings what they carry to the
/// host, and takes each message of the host's to the one stream that it belongs to.
class HttpSession final : public Brought {
 public:
  HttpSession(Loop loop, std::string id, std::string principal, const SessionTerms& terms)
      : loop_(loop), terms_(terms), id_(std::move(id)), principal_(std::move(principal)) {}
  ~HttpSession() override { close(); }

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }

  /// Whether somebody waits for an answer or listens.
  bool busy() const { return !streams_.empty() || (unasked_.lane && !unasked_.lane->closed()); }
  bool closed() const { return closed_; }
  /// Whether it is being ended; true from the second call on.
  bool ending() { return std::exchange(ending_, true); }
  /// Whether the handshake has succeeded.
  bool opened() const { return opened_; }

  void host(std::unique_ptr<Hosted> hosted) { hosted_ = std::move(hosted); }
  Hosted& hosted() { return *hosted_; }

  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_now(Outgoing& outgoing) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  void pause(const jsonrpc::Id& request) noexcept override;
  void abandon(const jsonrpc::Id& request) noexcept override;
  void close() noexcept override;

  /// Whether a request of this id waits for its answer.
  bool awaits(const jsonrpc::Id& id) const;

  /// The stream on which these requests are answered.
  std::uint32_t await(std::vector<jsonrpc::Id> ids, std::shared_ptr<Lane> lane);

  /// Where a client that names no event goes on with what the server says unasked.
  store::EventId unread() const { return {.stream = 0, .sequence = unasked_.given}; }

  /// Says on a lane what a stream has said after that event, and what it will say; who read the stream before reads no
  /// more. False if there never was such a stream.
  Task<bool> follow(std::shared_ptr<Lane> lane, store::EventId from);

  /// Nobody reads the stream on this lane any more.
  void leave(std::uint32_t number, const Lane& lane);

  /// How a stream starts from that event on; `again` if that event may have been named before.
  StreamStart start(store::EventId from, Duration keep_alive, bool again);

 private:
  HttpStream* find(std::uint32_t number);
  HttpStream* find(const jsonrpc::Id& awaited);
  HttpStream* stream_of(const Outgoing& outgoing);
  void say(HttpStream& stream, http::Response whole, const jsonrpc::Id* answered = nullptr);
  void tidy(HttpStream& stream);
  void say_event(HttpStream& stream, std::string text, const jsonrpc::Id* answered = nullptr);
  store::SharedText worth_keeping(const store::SharedText& text, const jsonrpc::Id* answered) const;
  void end(HttpStream& stream);
  std::string id_text(store::EventId id) const;

  Loop loop_;
  const SessionTerms& terms_;
  std::string id_;
  std::string principal_;
  std::unique_ptr<Hosted> hosted_;
  std::vector<HttpStream> streams_;
  HttpStream unasked_;
  std::unique_ptr<store::EventLog> log_;  // Made when there is something to keep.
  std::uint32_t numbered_ = 0;            // The last number given to a stream.
  std::uint32_t openings_ = 0;            // How often a stream was opened by GET.
  bool opened_ = false;
  bool closed_ = false;
  bool ending_ = false;
};

}  // namespace fairlead::transport
