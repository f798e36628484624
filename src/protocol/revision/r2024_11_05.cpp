#include "protocol/revision/codecs.hpp"
#include "protocol/revision/revision_definitions.hpp"

namespace fairlead::protocol::revision_definitions {

Revision r2024_11_05() {
  Revision r;
  r.name = "2024-11-05";
  r.lifecycle = Lifecycle::handshake;
  r.codec = &handshake_codec();
  r.server_initiated_requests = true;
  r.content_types = {"text", "image", "resource"};
  r.client_requests = {
      "initialize",
      "ping",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/read",
      "resources/templates/list",
      "resources/subscribe",
      "resources/unsubscribe",
      "prompts/list",
      "prompts/get",
      "completion/complete",
      "logging/setLevel",
  };
  r.server_requests = {"ping", "sampling/createMessage", "roots/list"};
  r.client_notifications = {"notifications/initialized", "notifications/cancelled", "notifications/progress",
                            "notifications/roots/list_changed"};
  r.server_notifications = {"notifications/cancelled",
                            "notifications/progress",
                            "notifications/message",
                            "notifications/resources/updated",
                            "notifications/resources/list_changed",
                            "notifications/tools/list_changed",
                            "notifications/prompts/list_changed"};
  return r;
}

}  // namespace fairlead::protocol::revision_definitions
