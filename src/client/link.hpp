#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/session.hpp>
#include <functional>

#include "client/line.hpp"

namespace fairlead::client {

/// One stretch of conversation: from the opening of a way to its end. Whoever calls through it keeps it alive.
struct Link {
  Link(Loop loop, Line opened, session::Service& answers, session::SessionOptions options)
      : line(std::move(opened)), session(loop, *line.transport, answers, watched(std::move(options))) {}

  Line line;
  session::Session session;
  bool ready = false;                              ///< The server has introduced itself.
  bool retired = false;                            ///< For what is under way only: the server takes nothing new here.
  std::function<void(const Error&)> on_lost = {};  ///< See ClientOptions.

 private:
  session::SessionOptions watched(session::SessionOptions options) {
    options.on_lost = [this](const Error& why) {
      if (ready && !retired && on_lost) on_lost(why);
    };
    return options;
  }
};

}  // namespace fairlead::client
