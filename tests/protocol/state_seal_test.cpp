#include <fairlead/protocol/state_seal.hpp>

#include <fairlead/base/base64.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace fairlead::protocol::state_seal_test {
namespace {

using namespace std::chrono_literals;

SealKey key(const char* id, std::uint8_t fill) {
  SealKey made{.id = id};
  made.secret.fill(fill);
  return made;
}

constexpr SealBinding binding{
    .principal = "ann", .method = "tools/call", .arguments = R"({"name":"deploy","arguments":{"n":1}})"};

SealError error_message(const StateSeal& seal, std::string_view sealed, const SealBinding& request_binding) {
  auto reason = SealError::malformed;
  const auto opened = seal.open(sealed, request_binding, &reason);
  EXPECT_EQ(opened.has_value(), reason == SealError::none);
  EXPECT_TRUE(opened || protocol_error_of(opened.error()) == ProtocolError::invalid_params);
  return reason;
}

class StateSealTest : public testing::Test {
 protected:
  StateSeal with(std::vector<SealKey> ring) {
    return StateSeal(std::move(ring), 10min, [this] { return now_; });
  }

  std::chrono::system_clock::time_point now_{std::chrono::seconds{1'800'000'000}};
  StateSeal seal_ = with({key("k1", 1)});
};

TEST_F(StateSealTest, OpensWhatItSealed_K_08) {
  for (const std::string& plain : {std::string(), std::string("state"), std::string("\0\xFF", 2)}) {
    EXPECT_EQ(seal_.open(seal_.seal(plain, binding), binding), plain);
  }
}

TEST_F(StateSealTest, EncryptsTheState) {
  const std::string sealed = seal_.seal("the secret plan", binding);
  EXPECT_EQ(sealed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
  EXPECT_NE(sealed, seal_.seal("the secret plan", binding)) << "a nonce was used twice";
}

TEST_F(StateSealTest, RefusesEveryChangedCharacter_K_08) {
  const std::string sealed = seal_.seal("state", binding);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    for (const char other : {'A', 'z', '7', '-', '=', ' ', '\0'}) {
      if (sealed[i] == other) continue;
      std::string changed = sealed;
      changed[i] = other;
      ASSERT_FALSE(seal_.open(changed, binding)) << i;
    }
  }
}

TEST_F(StateSealTest, RefusesEveryFlippedBit_K_08) {
  const std::string bytes = base64_decode(seal_.seal("state", binding), Base64::url).value();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    ASSERT_FALSE(seal_.open(base64_encode(changed, Base64::url), binding)) << bit;
  }
}

TEST_F(StateSealTest, RefusesEveryTruncationAndExtension_K_08) {
  const std::string sealed = seal_.seal("state", binding);
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    ASSERT_FALSE(seal_.open(std::string_view(sealed).substr(0, size), binding)) << size;
  }
  for (const char* more : {"A", "AA", "AAAA", "-TAMPERED"}) EXPECT_FALSE(seal_.open(sealed + more, binding));
}

TEST_F(StateSealTest, RefusesAnotherPrincipalMethodOrArguments_K_08) {
  const std::string sealed = seal_.seal("state", binding);
  SealBinding other = binding;
  other.principal = "bob";
  EXPECT_EQ(error_message(seal_, sealed, other), SealError::principal);
  other = binding;
  other.method = "prompts/get";
  EXPECT_EQ(error_message(seal_, sealed, other), SealError::method);
  for (const char* arguments :
       {R"({"name":"deploy","arguments":{"n":2}})", R"({"name":"deploy","arguments":{"n":"1"}})",
        R"({"name":"deploy","arguments":{"n":1,"m":null}})", R"({"name":"deploy"})", "", "{}"}) {
    other = binding;
    other.arguments = arguments;
    EXPECT_EQ(error_message(seal_, sealed, other), SealError::arguments) << arguments;
  }
}

TEST_F(StateSealTest, DoesNotRevealTheReasonToThePeer) {
  const std::string sealed = seal_.seal("state", binding);
  SealBinding other = binding;
  other.principal = "bob";
  EXPECT_EQ(seal_.open(sealed, other).error(), seal_.open(sealed.substr(1), binding).error());
  EXPECT_NE(error_message(seal_, sealed, other), error_message(seal_, sealed.substr(1), binding));
}

TEST_F(StateSealTest, AcceptsReserializedArguments_K_08) {
  SealBinding first = binding;
  first.arguments = R"({"name":"d","arguments":{"a":1,"b":[1.5,100,"é"],"c":{"x":null,"y":true}}})";
  const std::string sealed = seal_.seal("state", first);
  for (const char* arguments :
       {R"( { "arguments" : {"c":{"y":true,"x":null},"b":[1.50,1e2,"\u00e9"],"a":1.0}, "name":"\u0064"} )",
        R"({"name":"d","arguments":{"a":1,"b":[1.5,100,"é"],"c":{"x":null,"y":true}},
            "inputResponses":{"who":{}},"requestState":"abc","_meta":{"progressToken":2}})"}) {
    SealBinding again = binding;
    again.arguments = arguments;
    EXPECT_EQ(seal_.open(sealed, again), "state") << arguments;
  }
}

TEST_F(StateSealTest, IgnoresOnlyOutermostMembersThatChange) {
  SealBinding first = binding;
  first.arguments = R"({"arguments":{"_meta":1}})";
  SealBinding second = binding;
  second.arguments = R"({"arguments":{"_meta":2}})";
  EXPECT_EQ(error_message(seal_, seal_.seal("state", first), second), SealError::arguments);
}

TEST_F(StateSealTest, BindsInvalidJsonByteForByte) {
  SealBinding first = binding;
  first.arguments = "not json";
  SealBinding second = binding;
  second.arguments = "not  json";
  const std::string sealed = seal_.seal("state", first);
  EXPECT_EQ(seal_.open(sealed, first), "state");
  EXPECT_EQ(error_message(seal_, sealed, second), SealError::arguments);
}

TEST_F(StateSealTest, ExpiresAfterItsLifetime_K_08) {
  const std::string sealed = seal_.seal("state", binding);
  now_ += 10min - 1s;
  EXPECT_EQ(seal_.open(sealed, binding), "state");
  now_ += 1s;
  EXPECT_EQ(error_message(seal_, sealed, binding), SealError::expired);
}

TEST_F(StateSealTest, OpensOldStatesAfterAKeyRotation_K_08) {
  const std::string old_state = seal_.seal("old", binding);
  const StateSeal rotated = with({key("k2", 2), key("k1", 1)});
  const std::string new_state = rotated.seal("new", binding);
  EXPECT_EQ(rotated.open(old_state, binding), "old");
  EXPECT_EQ(rotated.open(new_state, binding), "new");
  EXPECT_EQ(error_message(seal_, new_state, binding), SealError::unknown_key);
}

TEST_F(StateSealTest, RefusesAnotherSecretUnderTheSameId) {
  EXPECT_EQ(error_message(with({key("k1", 9)}), seal_.seal("state", binding), binding), SealError::tampered);
}

TEST_F(StateSealTest, BindsTheKeyId) {
  // The same secret under two ids: using a state with the other id changes the authenticated data.
  const StateSeal twin = with({key("k2", 1), key("k1", 1)});
  std::string bytes = base64_decode(twin.seal("state", binding), Base64::url).value();
  ASSERT_EQ(bytes.substr(2, 2), "k2");
  bytes[3] = '1';
  EXPECT_EQ(error_message(twin, base64_encode(bytes, Base64::url), binding), SealError::tampered);
}

TEST_F(StateSealTest, SealsAMegabyte) {
  const std::string plain(1 << 20, 's');
  EXPECT_EQ(seal_.open(seal_.seal(plain, binding), binding), plain);
}

TEST_F(StateSealTest, MayBeSharedBetweenThreads) {
  const StateSeal& shared = seal_;
  std::vector<std::thread> threads;
  std::vector<int> opened(4, 0);
  for (std::size_t i = 0; i < opened.size(); ++i) {
    threads.emplace_back([&shared, &count = opened[i]] {
      for (int round = 0; round < 200; ++round) count += shared.open(shared.seal("state", binding), binding) == "state";
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(opened, std::vector<int>(4, 200));
}

TEST(StateSeal, DoesNotOpenWithAnotherRandomKey) {
  const auto ours = StateSeal::random().value();
  const auto other_seal = StateSeal::random().value();
  const std::string sealed = ours.seal("state", binding);
  EXPECT_EQ(ours.open(sealed, binding), "state");
  EXPECT_EQ(error_message(other_seal, sealed, binding), SealError::unknown_key);
}

TEST(StateSeal, RefusesInvalidKeyIds) {
  EXPECT_THROW(StateSeal({}), std::invalid_argument);
  EXPECT_THROW(StateSeal({key("", 1)}), std::invalid_argument);
  EXPECT_THROW(StateSeal({key("a", 1), key("a", 2)}), std::invalid_argument);
  EXPECT_THROW(StateSeal({key(std::string(256, 'k').c_str(), 1)}), std::invalid_argument);
}

TEST(SealKey, WipesItsSecretOnDestruction) {
  alignas(SealKey) std::array<std::byte, sizeof(SealKey)> storage{};
  auto* made = new (storage.data()) SealKey(key("k", 0xAB));
  const auto offset = static_cast<std::size_t>(reinterpret_cast<std::byte*>(made->secret.data()) - storage.data());
  std::destroy_at(made);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(storage[offset + i], std::byte{0});
}

}  // namespace
}  // namespace fairlead::protocol::state_seal_test
