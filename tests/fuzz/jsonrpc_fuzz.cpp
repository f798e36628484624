// An accepted message is written as one line that parses to the same message; the reply to a refused one is valid.
#include <cstdlib>
#include <fairlead/jsonrpc/read.hpp>

namespace {

using namespace fairlead;

void require(bool truth) {
  if (!truth) std::abort();
}

// Line breaks between tokens become blanks, so texts are compared after one trip over the wire.
void check(const jsonrpc::Message& message) {
  const auto line = jsonrpc::write(message);
  require(line.find_first_of("\r\n") == std::string::npos);
  const auto again = jsonrpc::read(line);
  require(again && std::holds_alternative<jsonrpc::Message>(*again));
  const auto& same = std::get<jsonrpc::Message>(*again);
  require(same.index() == message.index() && jsonrpc::write(same) == line);
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) {
    const auto& reread = std::get<jsonrpc::Request>(same);
    require(reread.id == request->id && reread.method == request->method && reread.param_spans == request->param_spans);
    (void)jsonrpc::string_at(request->params, request->param_spans.name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto incoming = jsonrpc::read(std::string(reinterpret_cast<const char*>(data), size));
  if (!incoming) {
    check(incoming.error());
  } else if (const auto* message = std::get_if<jsonrpc::Message>(&*incoming)) {
    check(*message);
  } else {
    for (const auto& entry : std::get<jsonrpc::Batch>(*incoming).entries) check(entry ? *entry : entry.error());
  }
  return 0;
}
