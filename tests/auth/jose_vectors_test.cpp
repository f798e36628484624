#include <gtest/gtest.h>

#include "auth/jose/jose.hpp"
#include "crypto/digest.hpp"

namespace fairlead::auth::jose::jose_vectors_test {
namespace {

// RFC 7520, 3.4 and 4.1. Sections 4.2 to 4.8 use algorithms and forms that are not supported here.
constexpr std::string_view cookbook_jwk =
    R"({"kty":"RSA","kid":"bilbo.baggins@hobbiton.example","use":"sig","n":"n4EPtAOCc9AlkeQHPzHStgAbgs7bTZL)"
    R"(wUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzc)"
    R"(Ee6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZC)"
    R"(uEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqg)"
    R"(c5gHdrNP5zw","e":"AQAB","d":"bWUC9B-EFRIo8kpGfh0ZuyGPvMNKvYWNtB_ikiH9k20eT-O1q_I78eiZkpXxXQ0UTEs2LsN)"
    R"(RS-8uJbvQ-A1irkwMSMkK1J3XTGgdrhCku9gRldY7sNA_AKZGh-Q661_42rINLRCe8W-nZ34ui_qOfkLnK9QWDDqpaIsA-bMwWWS)"
    R"(DFu2MUBYwkHTMEzLYGqOe04noqeq1hExBTHBOBdkMXiuFhUq1BU6l-DqEiWxqg82sXt2h-LMnT3046AOYJoRioz75tSUQfGCshWT)"
    R"(BnP5uDjd18kKhyv07lhfSJdrPdM5Plyl21hsFf4L_mHCuoFau7gdsPfHPxxjVOcOpBrQzwQ","p":"3Slxg_DwTXJcb6095RoXyg)"
    R"(QCAZ5RnAvZlno1yhHtnUex_fp7AZ_9nRaO7HX_-SFfGQeutao2TDjDAWU4Vupk8rw9JR0AzZ0N2fvuIAmr_WCsmGpeNqQnev1T7I)"
    R"(yEsnh8UMt-n5CafhkikzhEsrmndH6LxOrvRJlsPp6Zv8bUq0k","q":"uKE2dh-cTf6ERF4k4e_jy78GfPYUIaUyoSSJuBzp3Cub)"
    R"(k3OCqs6grT8bR_cu0Dm1MZwWmtdqDyI95HrUeq3MP15vMMON8lHTeZu2lmKvwqW7anV5UzhM1iZ7z4yMkuUwFWoBvyY898EXvRD-)"
    R"(hdqRxHlSqAZ192zB3pVFJ0s7pFc","dp":"B8PVvXkvJrj2L-GYQ7v3y9r6Kw5g9SahXBwsWUzp19TVlgI-YV85q1NIb1rxQtD-I)"
    R"(sXXR3-TanevuRPRt5OBOdiMGQp8pbt26gljYfKU_E9xn-RULHz0-ed9E9gXLKD4VGngpz-PfQ_q29pk5xWHoJp009Qf1HvChixRX)"
    R"(59ehik","dq":"CLDmDGduhylc9o7r84rEUVn7pzQ6PF83Y-iBZx5NT-TpnOZKF1pErAMVeKzFEl41DlHHqqBLSM0W1sOFbwTxYW)"
    R"(ZDm6sI6og5iTbwQGIC3gnJKbi_7k_vJgGHwHxgPaX2PnvP-zyEkDERuf-ry4c_Z11Cq9AqC2yeL6kdKT1cYF8","qi":"3PiqvXQ)"
    R"(N0zwMeE-sBvZgi289XP9XCQF3VWqPzMKnIgQp7_Tugo6-NZBKCQsMf3HaEGBjTVJs_jcK8-TRXvaKe-7ZMaQj8VfBdYkssbu0NKD)"
    R"(DhjJ-GtiseaDVWt7dcH0cfwxgFUHpQh7FoCrjFJ6h6ZEpMF6xmujs4qMpPz8aaI4"})";
constexpr std::string_view cookbook_input =
    "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.SXTigJlzIGEgZGFuZ2Vyb3VzIGJ"
    "1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9hZCwgYW5kIGlmIHlvdSBkb24"
    "ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9mZiB0by4";
constexpr std::string_view cookbook_signature =
    "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi8"
    "4wnB-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocS"
    "adnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJu"
    "shZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg";

// RFC 9449, 7.1.
constexpr std::string_view resource_token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
constexpr std::string_view resource_claims =
    R"({"jti":"e1j3V_bKic8-LAEB","htm":"GET","htu":"https://resource.example.org/protectedresource","iat":1562262618,)"
    R"("ath":"fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"})";
constexpr std::string_view resource_header =
    R"({"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",)"
    R"("y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA","crv":"P-256"}})";
constexpr std::string_view resource_signature =
    "2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA";

// RFC 7515, A.1 (HS256) and A.5 (none).
constexpr std::string_view hs256_token =
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNv"
    "bS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr std::string_view unsigned_token =
    "eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl"
    "fQ.";

TEST(JoseVectors, SignsAndVerifiesTheRs256ExampleOfRfc7520) {
  const auto key = Key::from_jwk(cookbook_jwk);
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(key->kid(), "bilbo.baggins@hobbiton.example");
  EXPECT_EQ(base64url(key->sign("RS256", cookbook_input).value()), cookbook_signature);
  EXPECT_TRUE(key->verify("RS256", cookbook_input, from_base64url(cookbook_signature).value()));
  EXPECT_FALSE(key->verify("PS256", cookbook_input, from_base64url(cookbook_signature).value()));
}

TEST(JoseVectors, SignsPs256WithARandomSalt) {
  const auto key = Key::from_jwk(cookbook_jwk).value();
  const auto first = key.sign("PS256", cookbook_input).value();
  EXPECT_TRUE(key.verify("PS256", cookbook_input, first));
  EXPECT_NE(first, key.sign("PS256", cookbook_input).value());
  EXPECT_FALSE(key.verify("RS256", cookbook_input, first));
}

TEST(JoseVectors, VerifiesTheResourceProofOfRfc9449) {
  const auto proof =
      base64url(resource_header) + '.' + base64url(resource_claims) + '.' + std::string(resource_signature);
  const auto own = [](const Token& token) {
    return std::optional(Key::from_jwk(token.header_members.at("jwk")).value());
  };
  const auto verified = verify(proof, own, {"ES256"});
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(text_member(verified->claim_members, "ath"), base64url(crypto::sha256(resource_token)));
}

TEST(JoseVectors, RefusesTheHmacAndTheUnsignedExampleOfRfc7515) {
  const auto key = Key::from_jwk(cookbook_jwk).value();
  const auto any = [&](const Token&) { return std::optional(key); };
  for (const auto token : {hs256_token, unsigned_token}) {
    EXPECT_FALSE(verify(token, any, all_algorithms()));
    EXPECT_FALSE(verify(token, any, {"HS256", "none", ""})) << "not even if a caller allows it";
  }
}

}  // namespace
}  // namespace fairlead::auth::jose::jose_vectors_test
