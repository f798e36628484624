#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/protocol/revision.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "http/url.hpp"

namespace fairlead::load {

/// What the requests to one endpoint have in common.
struct HttpManner {
  http::Url url;
  std::vector<http::Header> headers = {};  ///< The user's own.
  const protocol::Revision* revision = nullptr;
  bool greeted = false;      ///< The handshake is over: the revision goes into a header.
  std::string session = {};  ///< Empty for none.
};

// Whole requests. A body may be a RequestText's pattern: its length is that of the filled one.
std::string post_request(const HttpManner& manner, std::string_view body, std::string_view method,
                         std::string_view name = {});
std::string get_request(const HttpManner& manner);
std::string delete_request(const HttpManner& manner);
std::string upgrade_request(const HttpManner& manner, std::string_view key);

}  // namespace fairlead::load
