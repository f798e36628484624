#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <memory>
#include <optional>
#include <string>

namespace fairlead::transport {

/// Returns the 403 of the request's operation check; nothing if the caller may use the operation. Runs before a session
/// or handler sees the message.
std::optional<http::Response> refuse_operation(const http::Request& request, const jsonrpc::Request& call);

/// The same for all requests of a body.
std::optional<http::Response> refuse_operations(const http::Request& request, const jsonrpc::Incoming& body);

/// Decides about the messages of one connection, for transports that answer with JSON-RPC errors. Copies what it needs
/// of the HTTP request.
class OperationFilter {
 public:
  OperationFilter() = default;
  explicit OperationFilter(const http::Request& request)
      : check_(request.operations), identity_(request.identity), path_(request.path) {}

  /// The error for a refused request, with all scopes of the operation in `data.scope`.
  std::optional<jsonrpc::ErrorResponse> refuse(const jsonrpc::Request& call) const;
  /// Replaces refused requests of a batch by their errors.
  void apply(jsonrpc::Batch& batch) const;

 private:
  std::shared_ptr<const http::OperationCheck> check_;
  std::shared_ptr<const http::Identity> identity_;
  std::string path_;
};

}  // namespace fairlead::transport
