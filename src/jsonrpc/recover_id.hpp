#pragma once

#include <fairlead/jsonrpc/id.hpp>
#include <optional>
#include <string_view>

namespace fairlead::jsonrpc {

/// The id of a message that cannot be read as a whole, so that its sender can tell which request failed.
///
/// Looks for an "id" of the outermost object in any bytes whatsoever; guesses nothing.
std::optional<Id> recover_id(std::string_view text);

/// The id of an answer that cannot be read as a whole, so that whoever waits for it can be told. Nothing for what seems
/// to be no answer: it has a "method", or neither a "result" nor an "error".
std::optional<Id> recover_answered_id(std::string_view text);

}  // namespace fairlead::jsonrpc
