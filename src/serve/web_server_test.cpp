#include "serve/web_server.h"

#include <gtest/gtest.h>

#include "os/clock.h"
#include "serve/site_world.h"

namespace pawl::serve {
namespace {

using namespace std::chrono_literals;

TEST(WebServer, RenewsItsCertificateWhileItServes) {
  SiteWorld world;
  os::Loop loop;
  ServeOptions options;
  options.listen = "127.0.0.1:0";
  auto opened =
      WebServer::open(loop, *world.engine, world.server, world.home_dir.path(), options, {}, [] {});
  ASSERT_TRUE(opened) << text_of(opened.error());
  WebServer& web = **opened;
  const Json first = web.view();
  Clock now = os::read_clock();
  web.publish(now, {});
  EXPECT_EQ(web.view()["fingerprint"].as_string(), first["fingerprint"].as_string());
  now = {now.mono + 2min, now.wall + 24h * 61};
  web.publish(now, {});
  EXPECT_NE(web.view()["fingerprint"].as_string(), first["fingerprint"].as_string());
  EXPECT_EQ(web.view()["ca"].as_string(), first["ca"].as_string());
  EXPECT_TRUE(web.take_news().empty());
  // The CA ends: said once, and what there is stays.
  now = {now.mono + 2min, now.wall + 24h * 4000};
  const std::string last = web.view()["fingerprint"].as_string();
  for (int i = 0; i < 3; ++i, now.mono += 2min) web.publish(now, {});
  EXPECT_EQ(web.view()["fingerprint"].as_string(), last);
  EXPECT_EQ(web.take_news().size(), 1u);
}

}  // namespace
}  // namespace pawl::serve
