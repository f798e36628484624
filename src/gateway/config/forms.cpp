#include "gateway/config/forms.hpp"

#include <utility>

#include "gateway/config/stage.hpp"

namespace fairlead::gateway {
namespace {

using Texts = std::map<std::string, std::string>;

Result<std::string> as_it_is(std::string_view text, std::string_view) {
  return std::string(text);
}

}  // namespace

void Form<std::string>::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, as_it_is);
}

void Form<std::string>::show(Showing& showing, std::string_view name, const std::string& value) {
  showing.value(name, showing.mask().value("", value));
}

void Form<std::vector<std::string>>::read(Reading& reading, const Place& place, std::vector<std::string>& into) {
  if (!reading.is(place, Node::Kind::list)) return;
  std::vector<std::string> items;
  std::vector<std::string> variables;
  for (std::size_t index = 0; index < place.node.children.size(); ++index) {
    const auto item = reading.text(place.item(index));
    if (!item) continue;
    items.push_back(item->text);
    variables.insert(variables.end(), item->variables.begin(), item->variables.end());
  }
  into = std::move(items);
  reading.took(place, std::move(variables));
}

void Form<std::vector<std::string>>::show(Showing& showing, std::string_view name,
                                          const std::vector<std::string>& value) {
  showing.list(name, showing.mask().words(value));
}

void Form<Texts>::read(Reading& reading, const Place& place, Texts& into) {
  if (!reading.is(place, Node::Kind::map)) return;
  reading.took(place);
  for (const auto& child : place.node.children) {
    Form<std::string>::read(reading, place.member(child), into[child.key]);
  }
}

void Form<Texts>::show(Showing& showing, std::string_view name, const Texts& value) {
  Texts masked;
  for (const auto& [key, text] : value) masked[key] = showing.mask().setting(key, text);
  showing.map(name, masked);
}

void Form<ChainConfig>::read(Reading& reading, const Place& place, ChainConfig& into) {
  read_chain(reading, place, into);
}

}  // namespace fairlead::gateway
