#include "protocol/revision/revision_definitions.hpp"

namespace fairlead::protocol::revision_definitions {

Revision r2025_03_26() {
  Revision r = r2024_11_05();
  r.name = "2025-03-26";
  r.batches = true;
  r.streamable_http = true;
  r.http_sessions = true;
  r.get_stream = true;
  r.resumable = true;
  r.content_types += {"audio"};
  return r;
}

}  // namespace fairlead::protocol::revision_definitions
