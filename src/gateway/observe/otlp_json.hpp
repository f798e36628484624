#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "gateway/observe/span.hpp"

/// The JSON of OTLP (opentelemetry-proto 1): its messages by the mapping of protobuf, but ids in hex.
namespace fairlead::gateway {

std::string otlp_span(const Span& span);

/// What is posted: the first `count` of such spans, of a service of that name.
std::string otlp_request(const std::deque<std::string>& spans, std::size_t count, std::string_view service);

}  // namespace fairlead::gateway
