#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/elicitation.hpp>

namespace fairlead::client {

/// Fills in defaults of the form's schema and validates the content against it.
Result<protocol::ElicitResult> complete_elicitation(protocol::ElicitResult answer, const json::Payload& schema);

}  // namespace fairlead::client
