#pragma once

#include <deque>

#include "gateway/observe/span.hpp"

/// OTLP/JSON (opentelemetry-proto 1): the protobuf JSON mapping, but with ids in hex.
namespace fairlead::gateway {

std::string otlp_span(const Span& span);

/// Request body with the first `count` spans of a service.
std::string otlp_request(const std::deque<std::string>& spans, std::size_t count, std::string_view service);

}  // namespace fairlead::gateway
