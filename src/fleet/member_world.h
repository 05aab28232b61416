#pragma once
// For tests: one member, whose bus is the test. What it asks is kept until the test answers it; what it orders is kept as well.

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fleet/member.h"

namespace pawl::fleet {

class MemberWorld {
 public:
  explicit MemberWorld(std::vector<Claim> claims = {}, std::string boot = "boot 1",
                       bool link = true) {
    now.boot = Duration{std::chrono::seconds{1000}};
    now.clock.mono = MonoTime{std::chrono::seconds{500}};
    now.clock.wall = WallTime{std::chrono::seconds{1'700'000'000}};
    MemberOptions options;
    options.node = "here";
    options.id = "id-here";
    options.boot_id = std::move(boot);
    options.life = "life";
    options.queues = {"q"};
    options.follow_events = false;
    member.emplace(options, claims, now);
    Capacity capacity;
    capacity.room = 2;
    capacity.labels = {"label=gpu"};
    member->capacity(now, capacity);
    if (link) join();
  }

  void hear(const BusNews& news) {
    member->hear(now, news);
    gather();
  }
  void pass(Duration length) {
    now.boot += length;
    now.clock.mono += length;
    now.clock.wall += length;
    step();
  }
  // The machine sleeps, or the daemon is stopped.
  void machine_sleeps(Duration length) {
    now.boot += length;
    now.clock.wall += length;
    step();
  }
  void step() {
    member->step(now);
    gather();
  }
  void gather() {
    for (auto& ask : member->asks()) asks.push_back(std::move(ask));
    for (auto& order : member->orders()) orders.push_back(std::move(order));
  }

  // The first open question of this kind.
  std::optional<BusAsk> find(BusOp op, const std::string& key) {
    gather();
    for (const auto& ask : asks)
      if (ask.op == op && (ask.key == key || ask.subject == key)) return ask;
    return std::nullopt;
  }
  BusAsk take(BusOp op, const std::string& key) {
    gather();
    for (auto it = asks.begin(); it != asks.end(); ++it) {
      if (it->op != op || (it->key != key && it->subject != key)) continue;
      BusAsk out = *it;
      asks.erase(it);
      return out;
    }
    ADD_FAILURE() << "nothing was asked about " << key << " with op " << static_cast<int>(op);
    return {};
  }
  BusAsk answer(BusOp op, const std::string& key, BusEnd end, uint64_t revision = 0,
                std::string value = {}) {
    BusAsk ask = take(op, key);
    hear(BusReply{.id = ask.id, .end = end, .revision = revision, .value = std::move(value)});
    return ask;
  }
  template <class T>
  std::optional<T> ordered() {
    gather();
    for (auto it = orders.begin(); it != orders.end(); ++it) {
      if (const auto* one = std::get_if<T>(&*it)) {
        T out = *one;
        orders.erase(it);
        return out;
      }
    }
    return std::nullopt;
  }

  void link_up() {
    hear(BusLink{.up = true, .server = "2.9.10", .cluster = cluster});
    for (const auto bucket :
         {Bucket::nodes, Bucket::agents, Bucket::work, Bucket::leases, Bucket::accounts})
      hear(BusCaughtUp{bucket});
  }
  void join() {
    link_up();
    answer(BusOp::get, "here", BusEnd::missing);
    answer(BusOp::create, "here", BusEnd::done, 1);
    EXPECT_TRUE(member->joined());
    answer(BusOp::last, "events.here.>", BusEnd::missing);
  }
  // Our name stays ours while time passes.
  void renew_name() {
    while (const auto ask = find(BusOp::update, "here"))
      answer(BusOp::update, "here", BusEnd::done, 2);
  }

  static std::string unit_value(const std::string& state = "waiting", Json more = {}) {
    Json value =
        Json::object({{"version", 1}, {"state", state}, {"at", 1}, {"most", 2}, {"tries", 0}});
    value.set("task", Json::object({{"prompt", "p"}}));
    for (const auto& [key, one] : more.members()) value.set(key, one);
    return value.dump();
  }
  void unit(const std::string& name, uint64_t revision, const std::string& value) {
    hear(BusEntry{Bucket::work, name, value, revision});
  }
  // A unit that is claimed and started here with token 7.
  StartUnit started(const std::string& name) {
    unit(name, 3, unit_value());
    answer(BusOp::create, name, BusEnd::done, 7);
    answer(BusOp::update, name, BusEnd::done, 4);
    const auto start = ordered<StartUnit>();
    EXPECT_TRUE(start);
    return start.value_or(StartUnit{});
  }

  bool cluster = false;
  Now now;
  std::optional<Member> member;
  std::deque<BusAsk> asks;
  std::deque<Order> orders;
};

}  // namespace pawl::fleet
