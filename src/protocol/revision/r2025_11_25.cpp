#include "protocol/revision/revision_definitions.hpp"

namespace fairlead::protocol::revision_definitions {

Revision r2025_11_25() {
  Revision r = r2025_06_18();
  r.name = "2025-11-25";
  r.priming_event = true;
  r.bad_arguments_in_band = true;
  r.url_elicitation_error = true;
  r.client_requests += {"tasks/get", "tasks/result", "tasks/list", "tasks/cancel"};
  r.server_requests += {"tasks/get", "tasks/result", "tasks/list", "tasks/cancel"};
  r.client_notifications += {"notifications/tasks/status"};
  r.server_notifications += {"notifications/tasks/status", "notifications/elicitation/complete"};
  return r;
}

}  // namespace fairlead::protocol::revision_definitions
