#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>

namespace fairlead::json::schema {

/// Equality of JSON Schema: numbers by mathematical value, objects in any order.
bool equal(const boost::json::value& left, const boost::json::value& right);

/// Equal values have equal hashes.
std::uint64_t hash_of(const boost::json::value& value);

/// The cost of visiting a whole value, in steps of the work budget; stops counting at `limit`.
std::size_t comparison_cost(const boost::json::value& value, std::size_t limit);

}  // namespace fairlead::json::schema
