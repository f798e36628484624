#pragma once

#include "config/field_codec.hpp"
#include "gateway/config/fields.hpp"

namespace fairlead::gateway {

/// A flag that also accepts `on` and `off`.
struct SwitchCodec : config::FieldCodec<bool> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, bool& into);
};

/// The URL of an OTLP receiver.
struct OtlpUrlCodec : config::FieldCodec<std::string> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::string& into);
};

/// A map, the receiver's URL, or `on`. Missing values come from the OTEL_* environment variables, then from the
/// defaults of OpenTelemetry.
struct TraceCodec : config::FieldCodec<TraceConfig> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, TraceConfig& into);
  static void show(config::Printer& printer, std::string_view name, const TraceConfig& value);
};

}  // namespace fairlead::gateway
