#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/streamable_http.hpp>
#include <memory>
#include <variant>

#include "transport/http_server/http_session.hpp"

namespace fairlead::transport {

/// A stateless request.
struct StatelessPost {
  jsonrpc::Request request;
};

/// An `initialize` request.
struct InitializePost {
  jsonrpc::Request request;
};

/// Messages of a session.
struct SessionPost {
  std::shared_ptr<HttpSession> session;
  Received body;
};

/// A classified POST, or the response if it is rejected or needs none.
using ClassifiedPost = std::variant<http::Response, StatelessPost, InitializePost, SessionPost>;

using HttpSessionTable = store::SessionTable<HttpSession>;

/// Detects whether a POST is stateless or belongs to a session and validates its headers. Moves from the body.
ClassifiedPost classify_post(http::Request& request, SessionFactory& factory, HttpSessionTable& sessions, Eras eras);

http::Response session_gone(const std::optional<jsonrpc::Id>& id);
http::Response id_in_use(const jsonrpc::Id& id);

/// Returns the session named by the request, or the error response.
std::expected<std::shared_ptr<HttpSession>, http::Response> find_session(const http::Request& request,
                                                                         HttpSessionTable& sessions,
                                                                         const std::optional<jsonrpc::Id>& id = {});

}  // namespace fairlead::transport
