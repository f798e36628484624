#include "auth/jose/jose.hpp"

#include <gtest/gtest.h>

namespace fairlead::auth::jose::jose_test {
namespace {

// RFC 7515, A.2.
constexpr std::string_view rsa_jwk =
    R"({"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4)"
    R"(QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-)"
    R"(UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91)"
    R"(kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"})";
constexpr std::string_view rs256_token =
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl"
    "fQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr"
    "7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j"
    "zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe"
    "77Rw";

// RFC 7515, A.3.
constexpr std::string_view ec_jwk =
    R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
    R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"})";
constexpr std::string_view es256_token =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl"
    "fQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

// RFC 8037, A.1.
constexpr std::string_view ed_jwk = R"({"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",)"
                                    R"("x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})";

// RFC 9449, 4.1.
constexpr std::string_view dpop_proof =
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJo"
    "RjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJq"
    "dGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0Ijox"
    "NTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg";

KeyLookup always(std::string_view jwk) {
  return [key = Key::from_jwk(jwk).value()](const Token&) { return std::optional(key); };
}

std::string signed_with(const Key& key, std::string_view header, std::string_view claims = R"({"sub":"ann"})") {
  return base64url(header) + '.' + base64url(claims) + '.' +
         base64url(key.sign(key.default_algorithm(), base64url(header) + '.' + base64url(claims)).value());
}

TEST(Jose, VerifiesTheRs256ExampleOfRfc7515) {
  const auto verified = verify(rs256_token, always(rsa_jwk), all_algorithms());
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(text_member(verified->claim_members, "iss"), "joe");
}

TEST(Jose, VerifiesTheEs256ExampleOfRfc7515) {
  EXPECT_TRUE(verify(es256_token, always(ec_jwk), all_algorithms()));
}

TEST(Jose, SignsAndVerifiesTheEd25519ExampleOfRfc8037) {
  const auto key = Key::from_jwk(ed_jwk).value();
  constexpr std::string_view input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
  const auto signature = key.sign("EdDSA", input);
  ASSERT_TRUE(signature);
  EXPECT_EQ(base64url(*signature),
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg");
  EXPECT_TRUE(key.verify("EdDSA", input, *signature));
  EXPECT_EQ(key.thumbprint(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
}

TEST(Jose, ComputesTheThumbprintOfRfc7638) {
  const auto key = Key::from_jwk(
      R"({"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP)"
      R"(ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZ)"
      R"(gnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF)"
      R"(44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"})");
  ASSERT_TRUE(key);
  EXPECT_EQ(key->thumbprint(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
  EXPECT_EQ(key->kid(), "2011-04-29");
}

TEST(Jose, VerifiesTheProofOfRfc9449WithItsOwnKey) {
  std::string thumbprint;
  const auto own_key = [&](const Token& token) {
    auto key = Key::from_jwk(token.header_members.at("jwk")).value();
    thumbprint = key.thumbprint();
    return std::optional(key);
  };
  const auto verified = verify(dpop_proof, own_key, {"ES256"});
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(thumbprint, "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I");
  EXPECT_EQ(text_member(verified->claim_members, "htm"), "POST");
}

TEST(Jose, SignsWhatItVerifiesWithEveryKindOfKey) {
  const auto es256 = Key::generate_es256().value();
  for (const auto& key : {es256, Key::from_pem(es256.to_pem()).value(), Key::from_jwk(ed_jwk).value()}) {
    const auto header = R"({"alg":")" + std::string(key.default_algorithm()) + R"("})";
    const auto token = sign(key, key.default_algorithm(), header, R"({"sub":"ann"})");
    ASSERT_TRUE(token) << token.error().message;
    EXPECT_TRUE(verify(*token, always(key.public_jwk()), all_algorithms()));
  }
}

TEST(Jose, RefusesAChangedTokenInEachPart) {
  for (std::size_t at = 0; at < es256_token.size(); at += 7) {
    std::string token(es256_token);
    token[at] = token[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(verify(token, always(ec_jwk), all_algorithms())) << at;
  }
}

TEST(Jose, RefusesAlgorithmsThatAreNotAllowed) {
  EXPECT_FALSE(verify(es256_token, always(ec_jwk), {"RS256"}));
  for (const auto* name : {"none", "None", "HS256", "RS1", ""}) {
    const auto token = base64url(R"({"alg":")" + std::string(name) + R"("})") + '.' + base64url("{}") + '.';
    EXPECT_FALSE(verify(token, always(ec_jwk), {name, "ES256"})) << name;
  }
}

TEST(Jose, RefusesAnAlgorithmThatDoesNotFitTheKey) {
  EXPECT_FALSE(verify(rs256_token, always(ec_jwk), all_algorithms()));
  auto jwk = std::string(rsa_jwk);
  jwk.insert(jwk.size() - 1, R"(,"alg":"PS256")");
  EXPECT_FALSE(verify(rs256_token, always(jwk), all_algorithms()));
  jwk = rsa_jwk;
  jwk.insert(jwk.size() - 1, R"(,"use":"enc")");
  EXPECT_FALSE(verify(rs256_token, always(jwk), all_algorithms()));
}

TEST(Jose, RefusesDuplicateMembersAndCriticalExtensions) {
  const auto key = Key::from_jwk(ec_jwk).value();
  const auto valid = [&](std::string_view header, std::string_view claims) {
    return verify(signed_with(key, header, claims), always(ec_jwk), all_algorithms()).has_value();
  };
  EXPECT_TRUE(valid(R"({"alg":"ES256"})", "{}"));
  EXPECT_FALSE(valid(R"({"alg":"ES256","alg":"ES256"})", "{}"));
  EXPECT_FALSE(valid(R"({"alg":"ES256"})", R"({"sub":"a","s\u0075b":"b"})"));
  EXPECT_FALSE(valid(R"({"alg":"ES256"})", R"({"cnf":{"jkt":"a","jkt":"b"}})"));
  EXPECT_FALSE(valid(R"({"alg":"ES256","crit":["b64"],"b64":false})", "{}"));
  EXPECT_FALSE(valid(R"({"alg":"ES256"})", "[]"));
}

TEST(Jose, RefusesEcSignaturesOfAnotherSize) {
  const auto key = Key::from_jwk(ec_jwk).value();
  const std::string signature = from_base64url(es256_token.substr(es256_token.rfind('.') + 1)).value();
  const auto input = es256_token.substr(0, es256_token.rfind('.'));
  ASSERT_TRUE(key.verify("ES256", input, signature));
  for (const std::size_t size : {0U, 1U, 63U}) EXPECT_FALSE(key.verify("ES256", input, signature.substr(0, size)));
  EXPECT_FALSE(key.verify("ES256", input, signature + '\0'));
  EXPECT_FALSE(key.verify("ES256", input, std::string(64, '\0')));
  EXPECT_FALSE(key.verify("ES256", input, std::string(4096, 'x')));
}

TEST(Jose, RefusesKeysThatAreWeakOrNotOnTheCurve) {
  EXPECT_FALSE(Key::from_jwk(R"({"kty":"RSA","n":")" + base64url(std::string(128, '\xff')) + R"(","e":"AQAB"})"));
  EXPECT_FALSE(Key::from_jwk(R"({"kty":"oct","k":"AAAA"})"));
  const auto point = base64url(std::string(32, '\1'));
  EXPECT_FALSE(Key::from_jwk(R"({"kty":"EC","crv":"P-256","x":")" + point + R"(","y":")" + point + R"("})"));
  EXPECT_FALSE(Key::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"));
}

TEST(Jose, ReadsASetAndSkipsKeysItCannotUse) {
  const auto keys = read_jwk_set(R"({"keys":[{"kty":"oct","k":"AA"},)" + std::string(ec_jwk) + ",null," +
                                 std::string(rsa_jwk) + "]}");
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->size(), 2U);
  std::string many = R"({"keys":[{})";
  for (int i = 0; i < 100; ++i) many += ",{}";
  EXPECT_FALSE(read_jwk_set(many + "]}"));
  EXPECT_FALSE(read_jwk_set("[]"));
}

TEST(Jose, ExportsNoPrivatePart) {
  const auto key = Key::from_jwk(ec_jwk).value();
  EXPECT_EQ(key.public_jwk(), R"({"crv":"P-256","kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
                              R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})");
  EXPECT_EQ(Key::from_jwk(key.public_jwk()).value().to_pem(), "");
}

}  // namespace
}  // namespace fairlead::auth::jose::jose_test
