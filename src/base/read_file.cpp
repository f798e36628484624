#include "base/read_file.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/base/descriptor.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace fairlead {

Result<std::string> read_file(const std::filesystem::path& path) {
  constexpr std::size_t step = 16 * 1024;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  for (ssize_t count = file ? 1 : -1; count != 0;) {
    if (count < 0 && errno != EINTR) {
      return fail(ErrorKind::invalid, std::string("cannot be read: ") + std::strerror(errno));
    }
    const auto size = text.size();
    text.resize(size + step);
    count = ::read(file.get(), text.data() + size, step);
    text.resize(size + static_cast<std::size_t>(count > 0 ? count : 0));
  }
  return text;
}

}  // namespace fairlead
