#include <algorithm>
#include <array>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/header_value.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fmt/core.h>

#include "protocol/header_mismatch.hpp"

namespace fairlead::protocol {
namespace {

Result<void> check_method(std::span<const HeaderView> headers, std::string_view method) {
  const auto sent = find_header(headers, header::method);
  if (!sent) return std::unexpected(sent.error());
  if (!*sent) return header_mismatch_error(fmt::format("header {} is missing: send {}", header::method, method));
  if (**sent == method) return {};
  return header_mismatch_error(fmt::format("header {} differs from the body's method {}", header::method, method));
}

Result<void> check_name(std::span<const HeaderView> headers, std::string_view member,
                        std::optional<std::string_view> name) {
  const auto sent = find_header(headers, header::name);
  if (!sent) return std::unexpected(sent.error());
  if (!*sent && !name) return {};
  if (!*sent)
    return header_mismatch_error(
        fmt::format("header {} is missing: send the value of params.{}", header::name, member));
  const auto value = decode_header_value(**sent);
  if (!value) return header_mismatch_error(fmt::format("header {}: {}", header::name, value.error().message));
  if (name && *value == *name) return {};
  return header_mismatch_error(fmt::format("header {} differs from params.{} of the body", header::name, member));
}

}  // namespace

Result<std::optional<std::string_view>> find_header(std::span<const HeaderView> headers, std::string_view name) {
  std::optional<std::string_view> found;
  for (const HeaderView& field : headers) {
    if (!same_header(field.name, name)) continue;
    if (found) return header_mismatch_error(fmt::format("header {} must not be sent twice", name));
    found = trim_header(field.value);
  }
  return found;
}

std::optional<std::string_view> mcp_name_member(std::string_view method) {
  static constexpr std::array<NamedMethod, 3> rows{
      {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}}};
  const auto find = [&](std::span<const NamedMethod> all) {
    const auto found = std::ranges::find(all, method, &NamedMethod::method);
    return found == all.end() ? std::nullopt : std::optional(found->member);
  };
  if (const auto member = find(rows)) return member;
  for (const auto& extension : extensions()) {
    if (const auto member = find(extension.mcp_names)) return member;
  }
  return std::nullopt;
}

std::vector<Header> routing_headers(std::string_view method, std::optional<std::string_view> name) {
  std::vector<Header> headers{{.name = std::string(header::method), .value = std::string(method)}};
  if (name && mcp_name_member(method)) {
    headers.push_back({.name = std::string(header::name), .value = encode_header_value(*name)});
  }
  return headers;
}

Result<void> check_routing_headers(std::span<const HeaderView> headers, std::string_view method,
                                   std::optional<std::string_view> name) {
  if (auto checked = check_method(headers, method); !checked) return checked;
  const auto member = mcp_name_member(method);
  return member ? check_name(headers, *member, name) : Result<void>{};
}

}  // namespace fairlead::protocol
