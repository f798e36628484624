#pragma once

#include <initializer_list>

#include "config/printer.hpp"
#include "config/read_context.hpp"

namespace fairlead::config {

/// One configuration key: how to read it into its struct, and how to print it.
template <class T>
struct Field {
  std::string_view name;
  void (*read)(ReadContext& context, const NodeRef& ref, T& into);
  void (*show)(Printer& printer, std::string_view name, const T& of);
};

template <class T>
using FieldList = std::initializer_list<Field<T>>;

/// The keys of a struct in the order in which they are printed. Each struct has a specialization of `all`.
template <class T>
struct Fields {
  static const FieldList<T> all;
};

template <class T>
const Field<T>* find_field(std::string_view name) {
  for (const auto& field : Fields<T>::all) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

template <class T>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const auto& field : Fields<T>::all) names.emplace_back(field.name);
  return names;
}

/// Reads a map into a struct. Members whose keys are absent keep their values.
template <class T>
void read_fields(ReadContext& context, const NodeRef& ref, T& into) {
  if (!context.is(ref, Node::Kind::map)) return;
  for (const auto& child : ref.node.children) {
    const auto member = ref.member(child);
    if (const auto* field = find_field<T>(child.key)) {
      field->read(context, member, into);
    } else {
      context.unknown_key(member, field_names<T>());
    }
  }
}

template <class T>
void show_fields(Printer& printer, const T& of) {
  for (const auto& field : Fields<T>::all) field.show(printer, field.name, of);
}

}  // namespace fairlead::config
