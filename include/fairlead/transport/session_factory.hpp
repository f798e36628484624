#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {
struct Identity;
}

namespace fairlead::transport {

/// What a listener knows about a client.
struct PeerInfo {
  std::string principal = {};    ///< Authenticated principal; empty if anonymous.
  std::string name = {};         ///< Name in the log.
  bool tool_calls_only = false;  ///< The client only calls tools, without a handshake.
  /// HTTP headers that apply to all messages of the client.
  std::shared_ptr<const jsonrpc::MessageHeaders> request_headers = {};
  std::shared_ptr<const http::Identity> identity = {};   ///< The authenticated caller; may be null.
  std::shared_ptr<const std::string> access_token = {};  ///< Its OAuth token; null without one.
};

/// The server side of one MCP session. The transport outlives it.
class ServerSession {
 public:
  virtual ~ServerSession() = default;

  /// Serves until the transport closes; returns when all handlers have ended and all responses were sent.
  virtual Task<void> run() = 0;

  /// Alternative to `run`: messages are passed to `on_message` instead of received from the transport. Needs no
  /// coroutine while the session is idle.
  virtual void open() = 0;
  virtual void on_message(Received&& received) = 0;
  /// Waits for the handlers and sends their responses. Call after every `open`, unless the loop has stopped.
  virtual Task<void> end() = 0;

  /// True if so many responses wait for the peer to read them that no more messages should be passed to `on_message`;
  /// `backlog_cleared` waits until that changes or the session ends.
  virtual bool is_backlogged() const { return false; }
  virtual Task<void> backlog_cleared() { co_return; }

  /// Replaces identity and token of the caller, which has the same principal, for messages that follow.
  virtual void set_caller(std::shared_ptr<const http::Identity>, std::shared_ptr<const std::string>) {}

  /// The negotiated revision; null before.
  virtual const protocol::Revision* revision() const = 0;

  /// Stops reading, waits for the handlers and sends their responses; `close` ends the session at once.
  virtual void shutdown_gracefully() noexcept = 0;
  virtual void close() noexcept = 0;
};

/// Receives the notifications that belong to a stateless request.
class NotificationSink {
 public:
  virtual ~NotificationSink() = default;

  /// Ready unless the client does not read.
  virtual Task<Result<void>> send(jsonrpc::Notification notification) = 0;
};

/// Creates the sessions of a listener: the interface from transports to the session layer. Thread-safe.
class SessionFactory {
 public:
  virtual ~SessionFactory() = default;

  virtual std::unique_ptr<ServerSession> open(EventLoop loop, Transport& transport, PeerInfo peer) = 0;

  /// Handles a stateless request; the value of the task is the response. Stopping the task cancels the request.
  /// `notifications` outlives the task.
  virtual Task<jsonrpc::Message> respond(EventLoop loop, jsonrpc::Request request, PeerInfo peer,
                                         NotificationSink& notifications) = 0;

  /// Arguments of a tool that are also sent as HTTP headers; empty for an unknown tool.
  virtual std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) = 0;

  /// Names of the HTTP headers to pass on with requests.
  virtual std::span<const std::string> forwarded_header_names() const { return {}; }
};

}  // namespace fairlead::transport
