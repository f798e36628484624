#include "protocol/revision/revision_definitions.hpp"

namespace fairlead::protocol::revision_definitions {

Revision r2025_06_18() {
  Revision r = r2025_03_26();
  r.name = "2025-06-18";
  r.batches = false;
  r.version_header = true;
  r.structured_content = StructuredContent::object;
  r.content_types += {"resource_link"};
  r.server_requests += {"elicitation/create"};
  return r;
}

}  // namespace fairlead::protocol::revision_definitions
