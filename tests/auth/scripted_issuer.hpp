#pragma once

#include <algorithm>
#include <fairlead/auth/oauth.hpp>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <support/scripted_http_server.hpp>
#include <utility>

namespace fairlead::auth {

inline std::string json_response(std::string_view status, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

/// The value of a query parameter that needs no decoding; empty if there is none.
inline std::string parameter_of(const std::string& url, const std::string& name) {
  for (const auto* before : {"?", "&"}) {
    const auto begin = url.find(before + name + "=");
    if (begin == std::string::npos) continue;
    const auto value = begin + name.size() + 2;
    return url.substr(value, url.find('&', value) - value);
  }
  return {};
}

/// A protected server and its authorization server on one port. A test replaces replies by the beginning of the
/// request, such as `POST /token`.
class ScriptedIssuer {
 public:
  explicit ScriptedIssuer(const EventLoop& loop)
      : server_(loop, [this](const std::string& request, std::size_t) { return reply_to(request); }) {
    set("GET /.well-known/oauth-protected-resource", resource_metadata(origin()));
    set("GET /.well-known/oauth-authorization-server", server_metadata());
    set("POST /register", R"({"client_id":"c1"})", "201 Created");
    set("POST /token", token("first-token"));
  }

  void set(const std::string& request, std::string_view body, std::string_view status = "200 OK") {
    replies[request] = json_response(status, body);
  }

  std::string origin() const { return server_.url(""); }
  std::string mcp() const { return server_.url("/mcp"); }
  std::uint16_t port() const { return server_.port(); }

  std::string resource_metadata(const std::string& issuer, std::string_view more = "") const {
    return R"({"resource":")" + mcp() + R"(","authorization_servers":[")" + issuer + R"("])" + std::string(more) + "}";
  }
  /// `more` starts with a comma. A member in it replaces nothing: leave out the default with `without`.
  std::string server_metadata(std::string_view more = "", std::string_view without = "") const {
    std::string out = R"({"code_challenge_methods_supported":["S256"])";
    const auto add = [&](std::string_view name, const std::string& value) {
      if (name != without) out += R"(,")" + std::string(name) + R"(":")" + value + '"';
    };
    add("issuer", origin());
    add("authorization_endpoint", origin() + "/authorize");
    add("token_endpoint", origin() + "/token");
    add("registration_endpoint", origin() + "/register");
    return out + std::string(more) + "}";
  }
  static std::string token(std::string_view value, std::string_view more = "") {
    return R"({"access_token":")" + std::string(value) + R"(","token_type":"Bearer","refresh_token":"r-)" +
           std::string(value) + R"(","expires_in":3600)" + std::string(more) + "}";
  }

  const std::vector<std::string>& requests() const { return server_.requests(); }
  std::size_t count(std::string_view beginning) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(requests(), [&](const auto& request) { return request.starts_with(beginning); }));
  }
  Task<bool> stop() { return server_.stop(); }

  std::map<std::string, std::string> replies;
  /// Has precedence over `replies` unless it returns an empty text.
  std::function<std::string(const std::string& request)> special = {};

 private:
  std::string reply_to(const std::string& request) const {
    if (auto reply = special ? special(request) : std::string(); !reply.empty()) return reply;
    for (const auto& [beginning, reply] : replies) {
      if (request.starts_with(beginning)) return reply;
    }
    return json_response("404 Not Found", "{}");
  }

  test::ScriptedHttpServer server_;
};

/// A user who signs in at once. The test changes what comes back.
struct ScriptedUser {
  /// Returns the URL that the browser is sent to, given the state of this sign-in.
  std::function<std::string(const std::string& state)> answer = [this](const std::string& state) {
    return redirect_uri + "?code=the-code&state=" + state;
  };
  std::string redirect_uri = "http://127.0.0.1:3000/callback";
  std::vector<SignInRequest> shown = {};

  std::shared_ptr<SignIn> sign_in() {
    return sign_in_with(redirect_uri, [this](EventLoop, SignInRequest request) -> Task<Result<std::string>> {
      shown.push_back(request);
      return Result<std::string>(answer(parameter_of(request.url, "state")));
    });
  }
};

}  // namespace fairlead::auth
