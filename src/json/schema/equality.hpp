#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>

namespace fairlead::json::schema {

/// JSON Schema's equality: numbers by mathematical value, objects without regard to order.
bool equal(const boost::json::value& left, const boost::json::value& right);

/// Equal values hash alike.
std::uint64_t hash_of(const boost::json::value& value);

/// What looking at all of a value costs, in steps of the work budget; stops counting at `limit`.
std::size_t weight_of(const boost::json::value& value, std::size_t limit);

}  // namespace fairlead::json::schema
