#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/json/scan.hpp>

namespace fairlead::json {

/// The JSON text of one member; empty if it is absent or `valid_text` is not an object.
std::string_view member_of(std::string_view valid_text, std::string_view name);
inline std::string_view member_of(const Payload& object, std::string_view name) {
  return object.may_contain(name) ? member_of(object.text(), name) : std::string_view();
}

/// Removes the member whose value is at `value`. The member's name must not contain a quote.
void erase_member(Payload& object, Span value);

/// Appends a member to the object, or to `{}` if the text is empty. `name` must need no escape.
std::string with_member(std::string_view valid_text, std::string_view name, std::string_view json);

/// Changes members of an object; all others are copied byte for byte, in their order.
///
/// Holds views into `valid_text`, which must outlive it.
class ObjectEdit {
 public:
  /// Starts from `{}` if the text is not an object.
  explicit ObjectEdit(std::string_view valid_text);

  /// The member's JSON text, or empty.
  std::string_view get(std::string_view name) const;

  /// Replaces a member at its position, or appends it.
  ObjectEdit& set(std::string_view name, std::string json);
  ObjectEdit& erase(std::string_view name);

  bool empty() const { return members_.empty(); }
  bool changed() const { return changed_; }
  std::string text() const;

 private:
  struct Member {
    std::string_view spelled;  // View into the text, if the name has no escape.
    std::string own_name;      // Otherwise.
    std::string_view original;
    std::string replacement;
    std::size_t position = 0;  // Position in the text; past the end for an added member.

    std::string_view name() const { return own_name.empty() ? spelled : std::string_view(own_name); }
    std::string_view json() const { return replacement.empty() ? original : std::string_view(replacement); }
  };

  /// True if a member is unchanged and directly follows its predecessor in the text.
  bool goes_on(std::size_t index) const;

  std::vector<Member> members_;
  bool changed_ = false;
};

}  // namespace fairlead::json
