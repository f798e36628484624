#pragma once

#include <fairlead/http/message.hpp>
#include <forward_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::transport {

/// Headers to send. Most are said elsewhere, where they stay as long as this is used, and are not copied.
class HeaderViews {
 public:
  HeaderViews() { views_.reserve(usual); }
  HeaderViews(const HeaderViews&) = delete;
  HeaderViews& operator=(const HeaderViews&) = delete;
  ~HeaderViews() = default;

  void add(std::string_view name, std::string_view value) { views_.push_back({name, value}); }
  void add(const std::vector<http::Header>& headers) {
    for (const auto& [name, value] : headers) add(name, value);
  }
  /// What is said nowhere else.
  void keep(http::Header header) {
    const auto& [name, value] = kept_.emplace_front(std::move(header));
    add(name, value);
  }

  const std::vector<http::HeaderView>& views() const { return views_; }
  std::vector<http::Header> copies() const {
    std::vector<http::Header> headers;
    headers.reserve(views_.size());
    for (const auto& [name, value] : views_) headers.push_back({std::string(name), std::string(value)});
    return headers;
  }

 private:
  static constexpr std::size_t usual = 16;

  std::vector<http::HeaderView> views_;
  std::forward_list<http::Header> kept_;
};

}  // namespace fairlead::transport
