#pragma once

#include "gateway/config/field_codec.hpp"

namespace fairlead::gateway {

/// A flag that also accepts `on` and `off`.
struct SwitchCodec : FieldCodec<bool> {
  static void read(ReadContext& context, const NodeRef& ref, bool& into);
};

/// A number from 0 to 1.
struct RatioCodec {
  static void read(ReadContext& context, const NodeRef& ref, double& into);
  static void show(ConfigPrinter& showing, std::string_view name, double value);
};

/// The URL of an OTLP receiver.
struct OtlpUrlCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// A map, the receiver's URL, or `on`. Missing values come from the OTEL_* environment variables, then from the
/// defaults of OpenTelemetry.
struct TraceCodec : FieldCodec<TraceConfig> {
  static void read(ReadContext& context, const NodeRef& ref, TraceConfig& into);
  static void show(ConfigPrinter& showing, std::string_view name, const TraceConfig& value);
};

}  // namespace fairlead::gateway
