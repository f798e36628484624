#include "auth/jose/jose.hpp"

#include <algorithm>
#include <chrono>
#include <fairlead/json/codec.hpp>
#include <fstream>

#include "auth/client/token_request.hpp"
#include "auth/oauth/dpop.hpp"
#include "interop/node_script.hpp"
#include "interop/peer.hpp"

namespace fairlead::interop::jose_test {
namespace {

using auth::jose::Key;

struct SignedToken {
  std::string alg = {};
  std::string token = {};
};
struct DpopProof {
  std::string proof = {};
  std::string token = {};
  std::string thumbprint = {};
};
/// What jose_peer.mjs makes.
struct Made {
  json::Payload keys = {};
  std::vector<SignedToken> tokens = {};
  std::vector<DpopProof> proofs = {};
};

/// npm's `jose` and `oauth4webapi` as the other side.
struct JosePeer : Peer {
  static std::int64_t now() {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
  }
  static std::string claims(std::string_view more = "") {
    return R"({"iss":"https://auth.example","sub":"ann","client_id":"app","aud":"https://tools.example/mcp","jti":"j","iat":)" +
           std::to_string(now()) + R"(,"exp":)" + std::to_string(now() + 600) + std::string(more) + "}";
  }
  static std::string signed_by(const Key& key, std::string_view algorithm, std::string_view claims_json) {
    const auto header =
        R"({"alg":")" + std::string(algorithm) + R"(","typ":"at+jwt","kid":")" + std::string(algorithm) + R"("})";
    return auth::jose::sign(key, algorithm, header, claims_json).value();
  }
};

TEST_F(JosePeer, TokensOfJoseAreVerified) {
  const auto made = json::decode<Made>(parsed(run_node("jose_peer.mjs", {"make"}))).value();
  const auto keys = auth::jose::read_jwk_set(R"({"keys":)" + std::string(made.keys.text()) + "}").value();
  ASSERT_EQ(made.tokens.size(), 6U);
  for (const auto& [alg, token] : made.tokens) {
    const auto by_kid = [&](const auth::jose::Token& of) -> std::optional<Key> {
      const auto found = std::ranges::find(keys, of.kid, &Key::kid);
      return found == keys.end() ? std::nullopt : std::optional(*found);
    };
    EXPECT_TRUE(auth::jose::verify(token, by_kid, {alg})) << alg;
    auto changed = token;
    changed[changed.rfind('.') + 1] = changed[changed.rfind('.') + 1] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(auth::jose::verify(changed, by_kid, {alg})) << alg;
  }
}

TEST_F(JosePeer, DpopProofsOfOauth4webapiAreVerified) {
  const auto made = json::decode<Made>(parsed(run_node("jose_peer.mjs", {"make"}))).value();
  ASSERT_EQ(made.proofs.size(), 4U);
  auth::ProofCheck check(auth::jose::all_algorithms(), 100);
  for (const auto& [proof, token, thumbprint] : made.proofs) {
    const auth::ProvenRequest request{
        .method = "POST", .url = "https://tools.example/mcp", .token = token, .bound_to = thumbprint};
    const auto time = std::chrono::system_clock::now();
    const auto first = check.check(proof, request, time);
    EXPECT_TRUE(first) << token << ": " << first.error().message;
    EXPECT_FALSE(check.check(proof, request, time)) << "the second use of " << token;
  }
}

TEST_F(JosePeer, OurTokensAndProofsAreAcceptedByJoseAndOauth4webapi) {
  constexpr std::string_view ed25519 =
      R"({"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",)"
      R"("x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})";
  const auto es256 = Key::generate_es256().value();
  const auto pem = es256.to_pem();
  std::string keys;
  std::string tokens;
  for (const auto& [algorithm, key] : {std::pair("ES256", es256), std::pair("EdDSA", Key::from_jwk(ed25519).value())}) {
    auto jwk = key.public_jwk();
    jwk.insert(jwk.size() - 1, R"(,"use":"sig","kid":")" + std::string(algorithm) + R"(","alg":")" + algorithm + '"');
    keys += (keys.empty() ? "" : ",") + jwk;
    tokens += (tokens.empty() ? "" : ",") + json::encode(SignedToken{algorithm, signed_by(key, algorithm, claims())});
  }
  const auto prover = auth::make_dpop_prover(pem);
  const auto bound = signed_by(es256, "ES256", claims(R"(,"cnf":{"jkt":")" + es256.thumbprint() + R"("})"));
  const auto proof = prover->proof("POST", "https://tools.example/mcp?x=1", bound).value();
  const Folder folder;
  const auto file = folder.path / "ours.json";
  std::ofstream(file) << R"({"keys":[)" << keys << R"(],"tokens":[)" << tokens << R"(],"bound":)" << json::encode(bound)
                      << R"(,"proof":)" << json::encode(proof) << "}";
  EXPECT_EQ(run_node("jose_peer.mjs", {"check", file.string()}), "ok\n");
}

}  // namespace
}  // namespace fairlead::interop::jose_test
