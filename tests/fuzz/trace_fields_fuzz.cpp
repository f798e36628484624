// Trace and timing fields survive a round trip: parse, then write. Written values never contain a line break.
#include <cstdlib>
#include <string_view>

#include "gateway/observe/server_timing_observer.hpp"
#include "gateway/observe/trace_context.hpp"

namespace {

using namespace fairlead::gateway;

void require(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto context = read_traceparent(text)) {
    const auto written = write_traceparent(*context);
    require(written.size() == 55 && read_traceparent(written) == context);
    require(text.substr(3, 49) == std::string_view(written).substr(3, 49));
  }
  if (is_tracestate(text)) require(text.find_first_of("\r\n") == std::string_view::npos && text.size() <= 4096);
  const auto written = write_server_timing(read_server_timing(text));
  for (const char c : written) require(c >= ' ' && c <= '~');
  require(write_server_timing(read_server_timing(written)) == written);
  return 0;
}
