#include "config/field_codec.hpp"

#include <utility>

namespace fairlead::config {
namespace {

Result<std::string> as_it_is(std::string_view text, std::string_view) {
  return std::string(text);
}

}  // namespace

void FieldCodec<std::string>::read(ReadContext& context, const NodeRef& ref, std::string& into) {
  read_scalar(context, ref, into, as_it_is);
}

void FieldCodec<std::string>::show(Printer& printer, std::string_view name, const std::string& value) {
  printer.value(name, printer.mask().value("", value));
}

void FieldCodec<std::vector<std::string>>::read(ReadContext& context, const NodeRef& ref,
                                                std::vector<std::string>& into) {
  if (!context.is(ref, Node::Kind::list)) return;
  std::vector<std::string> items;
  std::vector<std::string> variables;
  for (std::size_t index = 0; index < ref.node.children.size(); ++index) {
    const auto item = context.text(ref.item(index));
    if (!item) continue;
    items.push_back(item->text);
    variables.insert(variables.end(), item->variables.begin(), item->variables.end());
  }
  into = std::move(items);
  context.record_source(ref, std::move(variables));
}

void FieldCodec<std::vector<std::string>>::show(Printer& printer, std::string_view name,
                                                const std::vector<std::string>& value) {
  printer.list(name, printer.mask().words(value));
}

void FieldCodec<Texts>::read(ReadContext& context, const NodeRef& ref, Texts& into) {
  if (!context.is(ref, Node::Kind::map)) return;
  context.record_source(ref);
  for (const auto& child : ref.node.children) {
    FieldCodec<std::string>::read(context, ref.member(child), into[child.key]);
  }
}

void FieldCodec<Texts>::show(Printer& printer, std::string_view name, const Texts& value) {
  show_texts(printer, name, value,
             [&](const auto& key, const auto& text) { return printer.mask().setting(key, text); });
}

}  // namespace fairlead::config
