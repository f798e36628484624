#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/protocol/revision.hpp>

#include "http/url.hpp"

namespace fairlead::load {

/// The common parts of all requests to one endpoint.
struct HttpRequestStyle {
  http::Url url;
  std::vector<http::Header> headers = {};  ///< Configured by the user.
  const protocol::Revision* revision = nullptr;
  bool initialized = false;  ///< After initialize; adds the revision header.
  std::string session = {};  ///< Empty for none.
};

// Complete requests. A body may be a RequestText pattern: Content-Length is that of the filled body.
std::string post_request(const HttpRequestStyle& style, std::string_view body, std::string_view method,
                         std::string_view name = {});
std::string get_request(const HttpRequestStyle& style);
std::string delete_request(const HttpRequestStyle& style);
std::string upgrade_request(const HttpRequestStyle& style, std::string_view key);

}  // namespace fairlead::load
