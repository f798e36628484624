#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/session.hpp>

#include "client/transport_opener.hpp"

namespace fairlead::client {

/// A transport and the session on it, from connect to disconnect. A pending call keeps it alive.
struct ActiveSession {
  ActiveSession(EventLoop loop, OpenedTransport opened, session::Service& handler, session::SessionOptions options)
      : transport(std::move(opened)), session(loop, *transport.near_end, handler, watched(std::move(options))) {}

  OpenedTransport transport;
  session::Session session;
  bool ready = false;     ///< Negotiation has succeeded.
  bool draining = false;  ///< Only pending calls continue; new calls use another session.
  std::function<void(const Error&)> on_connection_lost = {};  ///< See ClientOptions.

 private:
  session::SessionOptions watched(session::SessionOptions options) {
    options.on_connection_lost = [this](const Error& why) {
      if (ready && !draining && on_connection_lost) on_connection_lost(why);
    };
    return options;
  }
};

}  // namespace fairlead::client
