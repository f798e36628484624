#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include "auth/jose/jose.hpp"

namespace fairlead::auth {

/// Signs tokens for tests and keeps its public key in a file. `now` is fixed.
class TokenIssuer {
 public:
  TokenIssuer() {
    static int count = 0;
    file_ = std::filesystem::temp_directory_path() /
            ("fairlead_jwks_" + std::to_string(::getpid()) + "_" + std::to_string(++count) + ".json");
    std::string jwk = key_.public_jwk();
    jwk.insert(jwk.size() - 1, R"(,"kid":"k1","use":"sig","alg":"ES256")");
    std::ofstream(file_) << R"({"keys":[)" << jwk << "]}";
  }
  TokenIssuer(const TokenIssuer&) = delete;
  TokenIssuer& operator=(const TokenIssuer&) = delete;
  ~TokenIssuer() { std::filesystem::remove(file_); }

  std::string file() const { return file_.string(); }
  const jose::Key& key() const { return key_; }

  static constexpr std::int64_t now = 1'800'000'000;
  static std::chrono::system_clock::time_point time(std::int64_t after = 0) {
    return std::chrono::system_clock::time_point(std::chrono::seconds(now + after));
  }

  /// The usual claims with `more` appended, which starts with a comma.
  static std::string claims(std::string_view more = "") {
    return R"({"iss":"https://auth.example","sub":"ann","client_id":"app","aud":"https://tools.example/mcp","exp":)" +
           std::to_string(now + 600) + R"(,"iat":)" + std::to_string(now) + R"(,"scope":"mcp git:read")" +
           std::string(more) + "}";
  }
  std::string token(std::string_view claims_json,
                    std::string_view header = R"({"alg":"ES256","typ":"at+jwt","kid":"k1"})") const {
    return jose::sign(key_, "ES256", header, claims_json).value();
  }
  std::string token() const { return token(claims()); }

 private:
  jose::Key key_ = jose::Key::generate_es256().value();
  std::filesystem::path file_;
};

}  // namespace fairlead::auth
