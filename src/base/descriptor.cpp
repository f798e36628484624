#include <fairlead/base/descriptor.hpp>

#include <unistd.h>

namespace fairlead {

void Descriptor::reset(int number) noexcept {
  const int old = std::exchange(number_, number);
  if (old >= 0) ::close(old);
}

}  // namespace fairlead
