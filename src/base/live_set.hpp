#pragma once

#include <cstddef>
#include <fairlead/base/non_copyable.hpp>
#include <set>
#include <vector>

namespace fairlead {

/// A set of objects that register on construction and unregister on destruction. Used on one event loop.
///
/// `for_each` visits the objects that were in the set when it began and have not left it since, so the action may
/// destroy any of them, including the visited one, or add others.
template <class T>
class LiveSet {
 public:
  /// Registers an object for the lifetime of the entry.
  class Entry : NonCopyable {
   public:
    Entry(LiveSet& all, T& object) : all_(all), object_(object) { all_.insert(&object_); }
    ~Entry() { all_.erase(&object_); }

   private:
    LiveSet& all_;
    T& object_;
  };

  void insert(T* object) { all_.insert(object); }
  void erase(T* object) { all_.erase(object); }
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }

  template <class Action>
  void for_each(Action action) const {
    const std::vector<T*> present(all_.begin(), all_.end());
    for (auto* object : present) {
      if (all_.contains(object)) action(*object);
    }
  }

  /// The first object that satisfies the condition, or null.
  template <class Condition>
  T* find_if(Condition fits) const {
    for (auto* object : all_) {
      if (fits(*object)) return object;
    }
    return nullptr;
  }

 private:
  std::set<T*> all_;
};

}  // namespace fairlead
