#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::store {

/// Creates an unguessable session id: the index of the worker and 128 random bits, in visible ASCII. Throws if the
/// system has no randomness.
std::string make_session_id(std::size_t worker);

/// Returns the worker encoded in a session id; nothing if the id is malformed. Does not check that the session exists.
std::optional<std::size_t> worker_of(std::string_view session_id);

}  // namespace fairlead::store
