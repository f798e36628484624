#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/transport/host.hpp>
#include <fairlead/transport/streamable_http.hpp>
#include <memory>
#include <variant>

#include "transport/http_server/http_session.hpp"

namespace fairlead::transport {

/// A request that stands for itself.
struct StatelessPost {
  jsonrpc::Request request;
  bool claimed = true;  ///< By its envelope; otherwise by an old name for what needs no session.
};

/// The request that opens a session.
struct OpeningPost {
  jsonrpc::Request request;
};

/// What belongs to a session.
struct SessionPost {
  std::shared_ptr<HttpSession> session;
  Received body;
};

/// What to do about a POST: the answer, where it is clear already.
using SortedPost = std::variant<http::Response, StatelessPost, OpeningPost, SessionPost>;

using Sessions = store::Directory<HttpSession>;

/// Tells the eras apart and holds a POST to the rules of its own, up to where its method would matter. Takes the body.
SortedPost sort_post(http::Request& request, Host& host, Sessions& sessions, Eras eras);

http::Response session_gone(const std::optional<jsonrpc::Id>& id);
http::Response id_in_use(const jsonrpc::Id& id);

/// The session that a request names, or why it has none.
std::expected<std::shared_ptr<HttpSession>, http::Response> find_session(const http::Request& request,
                                                                         Sessions& sessions,
                                                                         const std::optional<jsonrpc::Id>& id = {});

}  // namespace fairlead::transport
