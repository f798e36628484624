#include "protocol/revision/codecs.hpp"
#include "protocol/revision/revision_definitions.hpp"

namespace fairlead::protocol::revision_definitions {

Revision r2026_07_28() {
  Revision r = r2025_11_25();
  r.name = "2026-07-28";
  r.lifecycle = Lifecycle::stateless;
  r.codec = &stateless_codec();

  r.server_initiated_requests = false;
  r.result_type = true;
  r.cache_hints = true;
  r.request_log_level = true;
  r.http_sessions = false;
  r.method_headers = true;
  r.get_stream = false;
  r.resumable = false;
  r.priming_event = false;
  r.disconnect_cancels = true;
  r.reserved_error_codes = true;
  r.url_elicitation_error = false;
  r.structured_content = StructuredContent::any;

  r.client_requests -=
      {"initialize", "ping",         "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
       "tasks/get",  "tasks/result", "tasks/list",       "tasks/cancel"};
  r.client_requests += {"server/discover", "subscriptions/listen"};
  r.server_requests = {};
  r.client_notifications = {"notifications/cancelled"};
  r.server_notifications -= {"notifications/tasks/status", "notifications/elicitation/complete"};
  r.server_notifications += {"notifications/subscriptions/acknowledged"};
  r.cacheable = {"server/discover", "tools/list",     "prompts/list",
                 "resources/list",  "resources/read", "resources/templates/list"};
  r.may_require_input = {"tools/call", "prompts/get", "resources/read"};
  return r;
}

}  // namespace fairlead::protocol::revision_definitions
