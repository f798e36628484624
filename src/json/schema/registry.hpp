#pragma once

#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>
#include <map>
#include <unordered_map>

#include "json/schema/dialect.hpp"
#include "json/schema/keywords.hpp"

namespace fairlead::json::schema {

using ResourceId = std::uint32_t;
using Value = boost::json::value;

/// The location of a schema: the resource that its references are relative to, and its JSON pointer for messages.
struct Location {
  ResourceId resource = 0;
  std::string pointer;  ///< `#/properties/a`, prefixed with the URI of a document other than the main one.
};

/// A schema resource: a schema with its own identifier, and its anchors.
struct Resource {
  std::string uri;
  Dialect dialect;
  const Value* root = nullptr;
  std::unordered_map<std::string, const Value*> anchors = {};
  std::map<std::string, const Value*> dynamic_anchors = {};
};

struct Target {
  const Value* schema = nullptr;
  std::string dynamic_anchor = {};  ///< Set if the reference names one.
};

/// All documents that a schema refers to, and the map from identifiers to schemas.
class Registry {
 public:
  explicit Registry(const SchemaOptions& options) : options_(options) {}

  /// Adds the main document; its default dialect is 2020-12.
  Result<const Value*> add_main(std::string_view text);

  /// Resolves a reference at `from`, loading its document if necessary.
  Result<Target> resolve(std::string_view reference, const Location& from);

  const Location& location(const Value& schema) const { return locations_.at(&schema); }
  const Resource& resource(ResourceId id) const { return resources_[id]; }
  std::size_t resource_count() const { return resources_.size(); }

 private:
  /// A schema that has not been scanned for identifiers yet.
  struct PendingSchema {
    const Value* schema;
    Location location;
    bool document_root = false;
  };

  Result<const Value*> add_document(std::string_view text, const std::string& uri, Dialect dialect);
  Result<ResourceId> find_or_load(const std::string& uri, Dialect dialect);
  Result<Target> follow_pointer(ResourceId start, std::string_view pointer);

  Result<void> scan(PendingSchema start);
  Result<void> identify(PendingSchema& pending);
  Result<void> read_dialect(const boost::json::object& schema, const PendingSchema& pending, Dialect& dialect);
  Result<void> read_id(const boost::json::object& schema, PendingSchema& pending, const Dialect& dialect);
  Result<void> enter_resource(std::string uri, PendingSchema& pending, const Dialect& dialect);
  Result<void> read_anchors(const boost::json::object& schema, const PendingSchema& pending);
  Result<void> claim_uri(const std::string& uri, ResourceId id, const std::string& pointer);
  Result<void> claim_anchor(std::string_view name, const PendingSchema& pending);
  Result<Dialect> dialect_named(const std::string& uri, int hops = 0);
  Result<Dialect> dialect_of_metaschema(const std::string& uri, int hops);

  const SchemaOptions& options_;
  std::vector<std::unique_ptr<const Value>> documents_;
  std::vector<Resource> resources_;
  std::unordered_map<std::string, ResourceId> by_uri_;
  std::unordered_map<const Value*, Location> locations_;
  std::unordered_map<std::string, Dialect> dialects_;
};

/// An error at a location in the schema.
std::unexpected<Error> fail_at(std::string_view pointer, std::string_view text);

}  // namespace fairlead::json::schema
