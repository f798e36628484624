#pragma once

#include <cstddef>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/headers.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Headers for requests to servers, and the names by which calls ask for them on their way through a chain. The names
/// cannot be guessed: what a client says by itself means nothing.
class HeaderSets {
 public:
  using Headers = std::vector<protocol::Header>;

  HeaderSets();

  /// Its name. The same headers have the same name again, so that a reload changes nothing for them.
  std::string add(Headers headers);
  /// As often as it was added.
  void remove(const std::string& name);
  bool contains(std::string_view name) const { return all_.contains(name); }

  /// Those of several names together, the later ones stronger.
  Headers find(const std::vector<std::string>& names) const;

  /// Which sets a call asks for; names that are not known are left out.
  std::vector<std::string> asked_by(const json::Payload& params) const;

 private:
  struct Entry {
    Headers headers;
    std::size_t count = 0;
  };

  std::string key_;
  std::map<std::string, Entry, std::less<>> all_;
};

/// Puts a header in, in the place of one of the same name.
void put_header(HeaderSets::Headers& headers, const protocol::Header& header);

/// The params with these sets asked for, and no others.
json::Payload asking_for(const json::Payload& params, const std::vector<std::string>& names);

/// Whether the params say anything about headers.
bool mentions_headers(const json::Payload& params);

}  // namespace fairlead::gateway
