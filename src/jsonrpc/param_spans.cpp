#include <fairlead/json/reader.hpp>
#include <fairlead/jsonrpc/message.hpp>

namespace fairlead::jsonrpc {

ParamSpans locate_params(const json::Payload& params) {
  ParamSpans found;
  const auto text = params.text();
  if (text.empty()) return found;
  json::Reader reader(text);
  if (reader.kind() != json::Kind::object) return found;
  for (reader.open(); reader.more();) {
    const auto name = reader.key();
    json::Span* span = name == "name"    ? &found.name
                       : name == "uri"   ? &found.uri
                       : name == "_meta" ? &found.meta
                                         : nullptr;
    const auto value = reader.skip();
    if (span) *span = {static_cast<std::size_t>(value.data() - text.data()), value.size()};
  }
  return found;
}

}  // namespace fairlead::jsonrpc
