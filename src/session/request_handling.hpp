#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/session/service.hpp>

#include "session/revision_negotiator.hpp"

/// Request handling that is common to sessions and to single stateless requests.
namespace fairlead::session {

/// Converts a request to a call and moves its parts. Returns an error response if the request is rejected.
std::optional<jsonrpc::Message> admit_request(RevisionNegotiator& negotiator, jsonrpc::Request& request, Call& call);

/// Log and component name for errors of handlers.
struct ErrorLog {
  LogSink& log;
  std::string_view name;
};

/// Converts an exception of a handler to an error. Its text is logged and not sent.
Error error_from_exception(const std::exception_ptr& failure, const Call& call, ErrorLog error_log);

/// Begins `Service::call` and converts its exceptions to errors. Exceptions of a task that is not ready come later.
Task<Result<Reply>> call_service(Service& service, Call& call, ErrorLog error_log);

/// Encodes a reply for the revision of the call and the dialect.
jsonrpc::Message make_response(const jsonrpc::Id& id, const Call& call, Result<Reply>&& reply, const Service& service,
                               protocol::ErrorDialect dialect);
jsonrpc::Message error_response(const jsonrpc::Id& id, const Error& error, const RevisionNegotiator& negotiator);

}  // namespace fairlead::session
