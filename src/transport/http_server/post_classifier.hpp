#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/streamable_http.hpp>

#include "transport/http_server/http_session.hpp"

namespace fairlead::transport {

/// A stateless request.
struct StatelessPost {
  jsonrpc::Request& request;
};

/// An `initialize` request.
struct InitializePost {
  jsonrpc::Request& request;
};

/// Messages of a session.
struct SessionPost {
  std::shared_ptr<HttpSession> session;
  bool has_request;
};

/// A classified POST, or the response if it is rejected or needs none. Refers to the body.
using ClassifiedPost = std::variant<http::Response, StatelessPost, InitializePost, SessionPost>;

using HttpSessionTable = store::SessionTable<HttpSession>;

/// Returns the error response for a POST that does not send or accept the right types.
std::optional<http::Response> check_content_types(const http::Request& request);

/// Returns the error response for a body that is not a message.
http::Response refuse_body(const http::Request& request, const jsonrpc::ReadError& error, HttpSessionTable& sessions);

/// Detects whether a POST is stateless or belongs to a session and validates its headers.
ClassifiedPost classify_post(const http::Request& request, jsonrpc::Incoming& body, SessionFactory& factory,
                             HttpSessionTable& sessions, Eras eras);

/// Returns the session named by the request, or the error response. `id` is that of the JSON-RPC request, if any.
std::expected<std::shared_ptr<HttpSession>, http::Response> find_session(const http::Request& request,
                                                                         HttpSessionTable& sessions,
                                                                         const jsonrpc::Id* id = nullptr);

}  // namespace fairlead::transport
