#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/json/scan.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::json {

/// The JSON text of one member; nothing if there is none, or `valid_text` is no object.
std::string_view member_of(std::string_view valid_text, std::string_view name);
inline std::string_view member_of(const Payload& object, std::string_view name) {
  return object.may_have(name) ? member_of(object.text(), name) : std::string_view();
}

/// The object without one of its members, whose value stands there. For a name that has no quote in it.
std::string without_member(std::string_view valid_text, Span value);
/// The same in place.
void erase_member(Payload& object, Span value);

/// The object, or an empty one where there is none, with one more member at its end. For a name that needs no escape.
std::string with_member(std::string_view valid_text, std::string_view name, std::string_view json);

/// Changes some members of an object and copies all others byte for byte, in their order.
///
/// Keeps views into the text it was given.
class ObjectEdit {
 public:
  /// Of a text that is not an object, an edit starts from `{}`.
  explicit ObjectEdit(std::string_view valid_text);

  /// The member's JSON text, or nothing.
  std::string_view get(std::string_view name) const;

  /// Replaces a member in its place, or adds it at the end.
  ObjectEdit& set(std::string_view name, std::string json);
  ObjectEdit& erase(std::string_view name);

  bool empty() const { return members_.empty(); }
  bool changed() const { return changed_; }
  std::string text() const;

 private:
  struct Member {
    std::string_view spelled;  // In the text, if it stands there as it is.
    std::string own_name;      // Else.
    std::string_view original;
    std::string replacement;
    std::size_t place = 0;  // Among the members of the text; behind them all for one that was added.

    std::string_view name() const { return own_name.empty() ? spelled : std::string_view(own_name); }
    std::string_view json() const { return replacement.empty() ? original : std::string_view(replacement); }
  };

  /// Whether a member stands in the text as it should, behind the one before it.
  bool goes_on(std::size_t index) const;

  std::vector<Member> members_;
  bool changed_ = false;
};

}  // namespace fairlead::json
