#pragma once

#include "config/field_codec.hpp"
#include "gateway/config/fields.hpp"

namespace fairlead::gateway {

/// A flag that also accepts `on` and `off`.
Result<bool> read_switch(std::string_view text, std::string_view shown);
using SwitchCodec = config::ParsedCodec<&read_switch>;

/// The URL of an OTLP receiver.
Result<std::string> read_receiver(std::string_view text, std::string_view shown);
using OtlpUrlCodec = config::ParsedCodec<&read_receiver>;

/// A map, the receiver's URL, or `on`. Missing values come from the OTEL_* environment variables, then from the
/// defaults of OpenTelemetry.
struct TraceCodec : config::FieldCodec<TraceConfig> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, TraceConfig& into);
  static void show(config::Printer& printer, std::string_view name, const TraceConfig& value);
};

}  // namespace fairlead::gateway
