#include "gateway/control/tap_line.hpp"

#include <fairlead/base/redactor.hpp>

#include "gateway/model/outcome.hpp"

namespace fairlead::gateway {

std::string status_word(const Result<session::Reply>& outcome) {
  static const Redactor unused;
  const auto judged = outcome_of(outcome, nullptr, unused);
  switch (judged.plane()) {
    case Plane::caller:
    case Plane::transport: return std::string(judged.transport);
    case Plane::protocol: return "error";
    case Plane::tool: return "tool_error";
    case Plane::none: break;
  }
  return "ok";
}

std::uint64_t size_of_body(const RecordLine& line) {
  if (line.params) return line.params->text().size();
  if (line.result) return line.result->text().size();
  if (!line.error) return 0;
  return line.error->message.size() + (line.error->data ? line.error->data->text().size() : 0);
}

}  // namespace fairlead::gateway
