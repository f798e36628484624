#pragma once

namespace fairlead {

/// Base of classes whose objects can be neither copied nor moved, because other objects refer to them or because they
/// own something unique. Derive privately.
class NonCopyable {
 protected:
  NonCopyable() = default;
  ~NonCopyable() = default;

 public:
  NonCopyable(const NonCopyable&) = delete;
  NonCopyable& operator=(const NonCopyable&) = delete;
};

}  // namespace fairlead
