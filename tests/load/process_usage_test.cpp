#include "load/process_usage.hpp"

#include <fairlead/base/descriptor.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fairlead::load::process_usage_test {
namespace {

using testing::Optional;

TEST(ProcessUsage, MeasuresThisProcess) {
  const auto usage = usage_of(::getpid());
  ASSERT_TRUE(usage);
  EXPECT_GT(usage->resident, 100'000U);
  EXPECT_GE(usage->processes, 1U);
}

TEST(ProcessUsage, ReturnsNothingForAnUnknownProcess) {
  EXPECT_EQ(usage_of(-1), std::nullopt);
}

TEST(ProcessUsage, FindsTheListeningProcess) {
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  socklen_t size = sizeof(address);
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  EXPECT_EQ(listener_on(ntohs(address.sin_port)), std::nullopt);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_THAT(listener_on(ntohs(address.sin_port)), Optional(::getpid()));
}

}  // namespace
}  // namespace fairlead::load::process_usage_test
