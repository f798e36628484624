#include "json/schema/registry.hpp"

#include <fmt/format.h>

#include "base/parse_number.hpp"
#include "base/uri.hpp"
#include "json/schema/metaschema.hpp"
#include "json/schema/parse.hpp"
#include "json/schema/uri.hpp"

namespace fairlead::json::schema {

namespace {

/// Parsing recurses, so nesting is limited; real schemas nest a few dozen levels.
constexpr std::size_t max_document_depth = 256;

/// Limits resolvers that return new documents without end.
constexpr std::size_t max_documents = 1000;

const Value* child(const Value& parent, std::string_view token) {
  if (const auto* object = parent.if_object()) return object->if_contains(pointer_unescaped(token));
  const auto* array = parent.if_array();
  const auto index = parse_number<std::size_t>(token);
  return array != nullptr && index ? array->if_contains(*index) : nullptr;
}

}  // namespace

std::unexpected<Error> fail_at(std::string_view pointer, std::string_view text) {
  return fail(ErrorKind::invalid, fmt::format("{}: {}", pointer, text));
}

Result<const Value*> Registry::add_main(std::string_view text) {
  return add_document(text, "", Dialect{});
}

Result<const Value*> Registry::add_document(std::string_view text, const std::string& uri, Dialect dialect) {
  if (documents_.size() == max_documents) {
    return fail_at(uri, fmt::format("a schema may refer to at most {} documents", max_documents));
  }
  auto parsed = parse_json(text, max_document_depth);
  if (!parsed) return fail(ErrorKind::malformed, fmt::format("the schema {} is {}", uri, parsed.error().message));
  documents_.push_back(std::make_unique<const Value>(std::move(*parsed)));
  const auto* root = documents_.back().get();
  const auto id = static_cast<ResourceId>(resources_.size());
  resources_.push_back({.uri = uri, .dialect = dialect, .root = root});
  by_uri_.emplace(uri, id);
  if (const auto done = scan({root, {id, uri + "#"}, true}); !done) return std::unexpected(done.error());
  return root;
}

Result<ResourceId> Registry::find_or_load(const std::string& uri, Dialect dialect) {
  if (const auto found = by_uri_.find(uri); found != by_uri_.end()) return found->second;
  auto text = builtin_metaschema(uri);
  if (!text && options_.resolve) text = options_.resolve(uri);
  if (!text) {
    return fail(ErrorKind::invalid,
                fmt::format("the reference to \"{}\" cannot be resolved: no schema here has that $id, and nothing is "
                            "fetched from the network; embed that schema under $defs, or supply its text through "
                            "SchemaOptions::resolve",
                            uri));
  }
  if (const auto added = add_document(*text, uri, dialect); !added) return std::unexpected(added.error());
  return by_uri_.at(uri);
}

Result<Target> Registry::resolve(std::string_view reference, const Location& from) {
  const auto& base = resources_[from.resource];
  const auto split = split_reference(reference);
  const auto found = find_or_load(resolve_uri(base.uri, split.document), base.dialect);
  if (!found) return std::unexpected(found.error());
  const auto& resource = resources_[*found];
  if (split.fragment.empty()) return Target{resource.root};
  if (split.fragment.starts_with('/')) return follow_pointer(*found, split.fragment);
  const auto anchor = resource.anchors.find(split.fragment);
  if (anchor == resource.anchors.end()) {
    return fail(ErrorKind::invalid, fmt::format("there is no anchor \"{}\" in \"{}\"", split.fragment, resource.uri));
  }
  return Target{anchor->second, resource.dynamic_anchors.contains(split.fragment) ? split.fragment : ""};
}

Result<Target> Registry::follow_pointer(ResourceId start, std::string_view pointer) {
  const auto* at = resources_[start].root;
  auto location = locations_.at(at);
  auto rest = pointer;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const auto token = rest.substr(0, rest.find('/'));
    rest.remove_prefix(token.size());
    at = child(*at, token);
    if (at == nullptr) return fail(ErrorKind::invalid, fmt::format("there is nothing at \"#{}\"", pointer));
    location.pointer.append("/").append(token);
    if (const auto known = locations_.find(at); known != locations_.end()) location = known->second;
  }
  // A schema under an unknown keyword has not been scanned yet.
  if (const auto done = scan({at, location}); !done) return std::unexpected(done.error());
  return Target{at};
}

}  // namespace fairlead::json::schema
