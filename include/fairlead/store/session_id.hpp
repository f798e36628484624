#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::store {

/// A name that nobody can guess: the worker that serves the session, and 128 bits from the system's randomness, in
/// visible ASCII. Throws if the machine has no randomness.
std::string make_session_id(std::size_t worker);

/// The worker that such a name tells; nothing if it tells none. Whether there is a session of that name is another
/// question.
std::optional<std::size_t> worker_of(std::string_view session_id);

}  // namespace fairlead::store
