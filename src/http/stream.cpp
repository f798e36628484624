#include <fairlead/http/stream.hpp>

#include <array>
#include <utility>

namespace fairlead::http {

Task<Result<void>> Stream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::array<std::string_view, 1> pieces{bytes};
    auto written = write_now(pieces);
    if (!written) co_return std::unexpected(std::move(written.error()));
    if (*written) {
      bytes.remove_prefix(**written);
      continue;
    }
    auto ready = co_await writable();
    if (!ready) co_return ready;
  }
  co_return Result<void>();
}

}  // namespace fairlead::http
