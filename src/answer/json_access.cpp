#include "answer/json_access.hpp"

#include <boost/json.hpp>

namespace fairlead::answer {

const boost::json::value* member_at(const boost::json::value& value, std::string_view name) {
  const auto* object = value.if_object();
  return object != nullptr ? object->if_contains(name) : nullptr;
}

std::string_view text_at(const boost::json::value& value, std::string_view name) {
  const auto* found = member_at(value, name);
  const auto* text = found != nullptr ? found->if_string() : nullptr;
  return text != nullptr ? std::string_view(text->data(), text->size()) : std::string_view();
}

const boost::json::array* list_at(const boost::json::value& value, std::string_view name) {
  const auto* found = member_at(value, name);
  return found != nullptr ? found->if_array() : nullptr;
}

}  // namespace fairlead::answer
