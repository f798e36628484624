#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/elicitation.hpp>

namespace fairlead::client {

/// An answer to a form as the server may expect it: what was left out takes its default, and the whole fits the form's
/// schema or is an error.
Result<protocol::ElicitResult> completed(protocol::ElicitResult answer, const json::Payload& schema);

}  // namespace fairlead::client
