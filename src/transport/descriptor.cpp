#include <fairlead/transport/descriptor.hpp>

#include <unistd.h>

namespace fairlead::transport {

void Descriptor::reset(int number) noexcept {
  const int old = std::exchange(number_, number);
  if (old >= 0) ::close(old);
}

}  // namespace fairlead::transport
