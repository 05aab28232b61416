#include "daemon/bus_inbox.h"

#include "base/text.h"
#include "core/engine_world.h"
#include "os/file.h"
#include "store/agent_files.h"
#include "store/inbox.h"

namespace pawl::daemon {
namespace {

using std::chrono::minutes;

class InboxWorld : public core::EngineWorld {
 public:
  void agent(const std::string& name) {
    core::RunAsked ask;
    ask.spec.name = name;
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    engine->submit(ask);
    turn();
  }
  std::vector<std::string> waiting(const std::string& name) {
    std::vector<std::string> out;
    const store::Inbox inbox(engine->files().disk(), engine->files().inbox(name));
    for (const auto& item : inbox.waiting()) out.push_back(item.name);
    return out;
  }
  std::vector<std::string> aside() { return os::list_dir(folder.path() + "/inbox-aside"); }

  TestDir folder;
  std::vector<std::string> told;
  MonoTime now{};
};

struct Box : InboxWorld {
  BusInbox inbox{*engine, folder.path(),
                 [this](model::Severity, const std::string& text) { told.push_back(text); }};
};

TEST(BusInbox, AnItemComesIntoTheInboxOnce) {
  Box box;
  box.agent("docs");
  const fleet::InboxItem item{"t1", "docs", "bus-7", "the links are dead"};
  EXPECT_TRUE(box.inbox.take(box.now, item));
  EXPECT_TRUE(box.inbox.take(box.now, item)) << "it came again";
  ASSERT_EQ(box.waiting("docs").size(), 1u);
  const std::string name = box.waiting("docs")[0];
  EXPECT_TRUE(name.starts_with("bus-7-")) << name;
  const store::Inbox inbox(box.engine->files().disk(), box.engine->files().inbox("docs"));
  EXPECT_TRUE(inbox.claim(name));
  EXPECT_TRUE(box.inbox.take(box.now, item)) << "it is being done";
  EXPECT_TRUE(inbox.finish(name));
  EXPECT_TRUE(box.inbox.take(box.now, item)) << "it was done";
  EXPECT_TRUE(box.waiting("docs").empty());
  EXPECT_TRUE(box.inbox.take(box.now, {"t2", "docs", "bus-7", "another one"}))
      << "the stream was made anew and counts from the beginning";
  EXPECT_EQ(box.waiting("docs").size(), 1u);
  EXPECT_TRUE(box.told.empty());
}

TEST(BusInbox, GarbageIsPutAsideAndToldOnce) {
  Box box;
  box.agent("docs");
  int number = 0;
  for (const std::string& value :
       {std::string(), std::string(" \n"), std::string("a\0b", 3), std::string("\xff\xfe"),
        std::string(R"({"text": ""})"), std::string(R"({"text": 7})")})
    EXPECT_TRUE(box.inbox.take(box.now, {"t", "docs", "bus-" + std::to_string(++number), value}));
  EXPECT_TRUE(box.waiting("docs").empty());
  EXPECT_EQ(box.aside().size(), 6u);
  EXPECT_EQ(box.told.size(), 1u);
}

TEST(BusInbox, AnAgentThatIsNotThereIsWaitedFor) {
  Box box;
  const fleet::InboxItem item{"t1", "docs", "bus-7", "the links are dead"};
  EXPECT_FALSE(box.inbox.take(box.now, item));
  box.now += minutes{5};
  EXPECT_FALSE(box.inbox.take(box.now, item));
  EXPECT_EQ(box.told.size(), 1u);
  box.agent("docs");
  EXPECT_TRUE(box.inbox.take(box.now, item));
  EXPECT_EQ(box.waiting("docs").size(), 1u);

  const fleet::InboxItem other{"t2", "nobody", "bus-8", "hello"};
  EXPECT_FALSE(box.inbox.take(box.now, other));
  box.now += kAgentAwaited;
  EXPECT_TRUE(box.inbox.take(box.now, other));
  ASSERT_EQ(box.aside().size(), 1u);
  EXPECT_EQ(os::read_file(box.folder.path() + "/inbox-aside/" + box.aside()[0]).value_or(""),
            "hello");
  EXPECT_NE(box.told.back().find("no agent nobody"), std::string::npos);
}

TEST(OutsideItem, ATextOrAnObject) {
  EXPECT_EQ(outside_item("plain").text, "plain");
  EXPECT_EQ(outside_item("plain").from, "the fleet's inbox");
  EXPECT_EQ(outside_item(R"({"no": "text"})").text, R"({"no": "text"})");
  const auto item = outside_item(R"({"text": "x", "from": "ci", "priority": "high"})");
  EXPECT_EQ(item.text + item.from, "xci");
  EXPECT_EQ(item.priority, 1);
}

}  // namespace
}  // namespace pawl::daemon
