#pragma once

#include "gateway/config/forms.hpp"

namespace fairlead::gateway {

/// `on` and `off`, or as other flags are written.
struct SwitchForm : Form<bool> {
  static void read(Reading& reading, const Place& place, bool& into);
};

/// A number from 0 to 1.
struct ShareForm {
  static void read(Reading& reading, const Place& place, double& into);
  static void show(Showing& showing, std::string_view name, double value);
};

/// The URL of an OTLP receiver.
struct ReceiverForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

/// A map, the receiver's URL alone, or `on`. What it leaves open, the variables say that programs with OpenTelemetry
/// have in common, and then their defaults.
struct TraceForm : Form<TraceConfig> {
  static void read(Reading& reading, const Place& place, TraceConfig& into);
  static void show(Showing& showing, std::string_view name, const TraceConfig& value);
};

}  // namespace fairlead::gateway
