#pragma once

#include <fairlead/jsonrpc/id.hpp>
#include <optional>

namespace fairlead::jsonrpc {

/// Finds the id of an invalid message, so that the error response can name the request.
///
/// Looks for an "id" of the outermost object in arbitrary bytes. Returns nothing if there is more than one.
std::optional<Id> recover_id(std::string_view text);

/// Finds the id of an invalid response, so that the pending request can fail. Returns nothing if the text does not look
/// like a response: it has a "method", or neither "result" nor "error".
std::optional<Id> recover_response_id(std::string_view text);

}  // namespace fairlead::jsonrpc
