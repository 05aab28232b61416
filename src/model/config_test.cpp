#include "model/config.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::model {
namespace {

// The sample of the contract, as people will copy it.
constexpr const char* kSample =
    R"toml([models]                                   # short names for --model
opus = "claude-opus-4-6"
sonnet = "claude-sonnet-4-6"
[runtime.mytool]                           # a runtime of the user's own
profile = "generic"
start = ["mytool"]
resume = ["mytool", "--resume", "{session_id}"]
task = ["mytool", "--batch"]
task_resume = ["mytool", "--batch", "--resume", "{session_id}"]
[agent.docs]
runtime = "claude"
dir = "~/src/docs"
backend = "pty"
mode = "active"
strategy = "once"
restart = "resume"
permission = "default"
prompt_file = "prompts/docs.md"
env_file = ".env"
alive_window_s = 600
cooldown_s = 90
settle_s = 3
crash_loop = { count = 5, window_s = 900 }
nudge = { base_s = 300, factor = 3, cap_s = 7200, attempts = 3 }
human_quiet_s = 120
ready = { quiet_ms = 150, cleared_ms = 500, stuck_s = 30 }
limit = { policy = "wait", margin_s = 60 }
dialogs = "free-rows-only"
floor_s = 60
preflight = { transcript_max_mb = 256, memory_pct = 80 }
recovery = { resume_crashes = 3, auth_refresh = [] }
task_health = { base_s = 30, max_s = 300, grace_s = 30, deadline_s = 18000, retries = 10, dispatch_wait_s = 10, stale_s = 0 }
budget = { tokens_per_day = 0, cost_per_day_usd = 0.0 }
notify = []
)toml";

// The sample shows the defaults: with its five own words it must equal a default spec. So do other numbers show up below.
TEST(Config, TheSampleOfTheContractParses) {
  const auto config = parse_config(kSample, "pawl.toml");
  ASSERT_TRUE(config) << text_of(config.error());
  EXPECT_EQ(config->models, (std::map<std::string, std::string>{{"opus", "claude-opus-4-6"},
                                                                {"sonnet", "claude-sonnet-4-6"}}));
  ASSERT_TRUE(config->runtimes.contains("mytool"));
  const Runtime& runtime = config->runtimes.at("mytool");
  using Words = std::vector<std::string>;
  EXPECT_EQ(runtime.name, "mytool");
  EXPECT_EQ(runtime.profile, "generic");
  EXPECT_EQ(runtime.start, Words{"mytool"});
  EXPECT_EQ(runtime.resume, (Words{"mytool", "--resume", "{session_id}"}));
  EXPECT_EQ(runtime.task, (Words{"mytool", "--batch"}));
  EXPECT_EQ(runtime.task_resume, (Words{"mytool", "--batch", "--resume", "{session_id}"}));
  AgentSpec expected;
  expected.name = "docs";
  expected.runtime = "claude";
  expected.dir = "~/src/docs";
  expected.mode = "active";
  expected.restart = Restart::resume;
  expected.prompt_file = "prompts/docs.md";
  expected.env_file = ".env";
  ASSERT_EQ(config->agents.size(), 1u);
  EXPECT_EQ(config->agents[0], expected);
}

// The sample's values are the defaults, so this shows that they are read: every number of it plus 1.
TEST(Config, EveryNumberOfTheSampleIsRead) {
  const auto config = parse_config(R"([agent.x]
alive_window_s = 601
cooldown_s = 91
settle_s = 3.5
stop_grace_s = 11
crash_loop = { count = 6, window_s = 901 }
nudge = { base_s = 301, factor = 4, cap_s = 7201, attempts = 4 }
human_quiet_s = 121
ready = { quiet_ms = 151, cleared_ms = 501, stuck_s = 31 }
limit = { policy = "ask", margin_s = 61 }
floor_s = 61
preflight = { transcript_max_mb = 257, memory_pct = 81 }
recovery = { resume_crashes = 4, success_s = 601, auth_refresh = ["a", "b"] }
loop = { interval_s = 301, base_s = 61, factor = 3, cap_s = 3601, schedule = ["@daily"], time_zone = "UTC", stop_hook = true, one_task = true }
work = { folders = ["/t"], command = ["list"], every_s = 301 }
task_health = { base_s = 31, max_s = 301, grace_s = 31, deadline_s = 18001, retries = 11, dispatch_wait_s = 11, stale_s = 13 }
budget = { tokens_per_day = 1, cost_per_day_usd = 1.5, soft_pct = 70 }
size = { cols = 100, rows = 30 }
hooks = false
notify = ["desktop"]
)",
                                   "c");
  ASSERT_TRUE(config) << text_of(config.error());
  AgentSpec expected;
  expected.name = "x";
  expected.alive_window_s = 601;
  expected.cooldown_s = 91;
  expected.settle_s = 3.5;
  expected.stop_grace_s = 11;
  expected.crash_loop = {6, 901};
  expected.nudge = {301, 4, 7201, 4};
  expected.human_quiet_s = 121;
  expected.ready = {151, 501, 31};
  expected.limit = {"ask", 61};
  expected.floor_s = 61;
  expected.preflight = {257, 81};
  expected.recovery = {4, 601, {"a", "b"}};
  expected.loop = {301, 61, 3, 3601, {"@daily"}, "UTC", true, true};
  expected.work = {{"/t"}, {"list"}, 301};
  expected.task_health = {31, 301, 31, 18001, 11, 11, 13};
  expected.budget = {1, 1.5, 70};
  expected.size = {100, 30};
  expected.hooks = false;
  expected.notify = {"desktop"};
  EXPECT_EQ(config->agents.at(0), expected);
}

TEST(Config, TheNearestOfAgentRuntimeAndDefaultsWins) {
  const auto config = parse_config(R"([defaults]
runtime = "r"
cooldown_s = 1
settle_s = 1
floor_s = 1
nudge = { base_s = 1, cap_s = 1 }
[runtime.r]
start = ["r"]
settle_s = 2
floor_s = 2
nudge = { base_s = 2 }
[runtime.other]
cooldown_s = 9
[agent.a]
floor_s = 3
nudge = { attempts = 3 }
[agent.b]
runtime = "other"
)",
                                   "c");
  ASSERT_TRUE(config) << text_of(config.error());
  const AgentSpec& a = config->agents.at(0);
  EXPECT_EQ(a.runtime, "r");
  EXPECT_EQ(a.cooldown_s, 1);
  EXPECT_EQ(a.settle_s, 2);
  EXPECT_EQ(a.floor_s, 3);
  EXPECT_EQ(a.nudge, (Nudge{2, 3, 1, 3})) << "key by key, not table by table";
  const AgentSpec& b = config->agents.at(1);
  EXPECT_EQ(b.cooldown_s, 9);
  EXPECT_EQ(b.settle_s, 1) << "another runtime's keys are not mine";
}

TEST(Config, AgentsComeInTheOrderOfTheFile) {
  const auto config = parse_config("[agent.zeta]\n[agent.alpha]\n[agent.mid]\n", "c");
  ASSERT_TRUE(config);
  std::vector<std::string> names;
  for (const auto& agent : config->agents) names.push_back(agent.name);
  EXPECT_EQ(names, (std::vector<std::string>{"zeta", "alpha", "mid"}));
}

TEST(Config, AnEmptyFileIsFine) {
  const auto config = parse_config("", "c");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->agents.empty());
}

struct Bad {
  const char* text;
  const char* says;  // the whole message, or its beginning when it ends with "…"
};

class ConfigErrors : public testing::TestWithParam<Bad> {};

TEST_P(ConfigErrors, NameThePlaceAndTheWayOut) {
  const auto config = parse_config(GetParam().text, "p.toml");
  ASSERT_FALSE(config) << GetParam().text;
  std::string says = GetParam().says;
  const std::string got = text_of(config.error());
  if (says.ends_with("…")) {
    says.resize(says.size() - std::string("…").size());
    EXPECT_EQ(got.substr(0, says.size()), says);
  } else {
    EXPECT_EQ(got, says);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ConfigErrors,
    testing::Values(
        Bad{"[agent.a]\ndir = \n", "p.toml:2:7: …"}, Bad{"[agent.a\n", "p.toml:1:9: …"},
        Bad{"[agent.a]\nrestrat = \"fresh\"\n",
            "p.toml:2:1: unknown key 'restrat' in [agent.a]: did you mean 'restart'?"},
        Bad{"[agent.a]\nzzzzzzzzz = 1\n",
            "p.toml:2:1: unknown key 'zzzzzzzzz' in [agent.a]: known keys: runtime, …"},
        Bad{"[agent.a]\nnudge = { base_s = 1, factr = 2 }\n",
            "p.toml:2:23: unknown key 'factr' in 'nudge': did you mean 'factor'?"},
        Bad{"[defaults]\nsetle_s = 1\n",
            "p.toml:2:1: unknown key 'setle_s' in [defaults]: did you mean 'settle_s'?"},
        Bad{"[runtime.r]\nstat = []\n",
            "p.toml:2:1: unknown key 'stat' in [runtime.r]: did you mean 'start'?"},
        Bad{"\n[agents.a]\n", "p.toml:2:2: unknown section 'agents': did you mean 'agent'?"},
        Bad{"wibble = 1\n", "p.toml:1:1: unknown section 'wibble': known sections: defaults, …"},
        Bad{"[agent.a]\ndir = 3\n", "p.toml:2:7: 'dir' must be a text in quotes"},
        Bad{"[agent.a]\ncooldown_s = \"90\"\n",
            "p.toml:2:14: 'cooldown_s' must be a number, 0 or more"},
        Bad{"[agent.a]\ncooldown_s = true\n",
            "p.toml:2:14: 'cooldown_s' must be a number, 0 or more"},
        Bad{"[agent.a]\ncooldown_s = -1\n",
            "p.toml:2:14: 'cooldown_s' must be a number, 0 or more"},
        Bad{"[agent.a]\ncooldown_s = nan\n",
            "p.toml:2:14: 'cooldown_s' must be a number, 0 or more"},
        Bad{"[agent.a]\ncooldown_s = inf\n",
            "p.toml:2:14: 'cooldown_s' must be a number, 0 or more"},
        Bad{"[agent.a]\ncrash_loop = { count = -1 }\n",
            "p.toml:2:24: 'count' must be a whole number, 0 or more"},
        Bad{"[agent.a]\ncrash_loop = { count = 1.5 }\n",
            "p.toml:2:24: 'count' must be a whole number, 0 or more"},
        Bad{"[agent.a]\nsize = { cols = 70000 }\n",
            "p.toml:2:17: 'cols' must be a whole number, 0 or more"},
        Bad{"[agent.a]\ncrash_loop = 5\n",
            "p.toml:2:14: 'crash_loop' must be a table, like { a = 1 }"},
        Bad{"[agent.a]\nhooks = 0\n", "p.toml:2:9: 'hooks' must be true or false"},
        Bad{"[agent.a]\nnotify = \"desktop\"\n",
            "p.toml:2:10: 'notify' must be a list of texts, like [\"a\", \"b\"]"},
        Bad{"[agent.a]\nnotify = [\"a\", 1]\n",
            "p.toml:2:16: 'notify' must be a list of texts only"},
        Bad{"[agent.\"a b\"]\n",
            "p.toml:1:8: bad agent name 'a b': use letters, digits, '.', '_' and '-', at most 64"},
        Bad{"[agent.\"..\"]\n", "p.toml:1:8: bad agent name '..': …"},
        Bad{"agent = 3\n", "p.toml:1:9: 'agent' must be a table"},
        Bad{"[agent]\na = 3\n", "p.toml:2:5: [agent.a] must be a table"},
        Bad{"runtime = []\n", "p.toml:1:11: 'runtime' must be a table"},
        Bad{"defaults = 3\n", "p.toml:1:12: 'defaults' must be a table"},
        Bad{"models = 3\n", "p.toml:1:10: 'models' must be a table"},
        Bad{"[models]\nopus = 4\n", "p.toml:2:8: the model 'opus' must be a text in quotes"},
        Bad{"\n[agent.a]\nbackend = \"screen\"\n",
            "p.toml:2:1: backend = \"screen\" is not known: use one of: pty, tmux; until then it "
            "is \"pty\""},
        Bad{"[agent.a]\nmode = \"on\"\n",
            "p.toml:1:1: mode = \"on\" is not known: use one of: active, task-only, paused; until "
            "then it is \"paused\""},
        Bad{"[agent.a]\nstrategy = \"x\"\n", "p.toml:1:1: strategy = \"x\" is not known: …"},
        Bad{"[agent.a]\nrestart = \"always\"\n",
            "p.toml:1:1: restart = \"always\" is not known: use one of: never, fresh, resume; "
            "until then it is \"never\""},
        Bad{"[agent.a]\npermission = \"root\"\n",
            "p.toml:1:1: permission = \"root\" is not known: …"},
        Bad{"[agent.a]\ndialogs = \"on\"\n",
            "p.toml:1:1: dialogs = \"on\" is not known: use one of: free-rows-only, off; until "
            "then it is \"off\""},
        Bad{"[agent.a]\nsize = { cols = 1, rows = 5 }\n",
            "p.toml:1:1: the size 1x5 is not usable: …"},
        Bad{"[agent.a]\nbudget = { soft_pct = 101 }\n",
            "p.toml:1:1: budget.soft_pct = 101 is no percentage: use 0 to 100; until then it is "
            "80"}));

TEST(Config, Retention) {
  const auto read = read_config(
      "[retention]\ntasks_days = 0.5\ntasks_max = 7\nunread_days = 2\narchive_days = 3\n"
      "archive_mb = 4\ntotal_mb = 5\n",
      "c");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->repairs.size(), 0u);
  Retention want;
  want.tasks_days = 0.5;
  want.tasks_max = 7;
  want.unread_days = 2;
  want.archive_days = 3;
  want.archive_mb = 4;
  want.total_mb = 5;
  EXPECT_EQ(read->config.retention, want);
}

TEST(Config, BadRetentionKeepsWhatItWas) {
  const auto mended = [](const std::string& lines, Retention want) {
    const auto read = read_config("[retention]\n" + lines, "c");
    EXPECT_EQ(read->config.retention, want) << lines;
    std::vector<std::string> said;
    for (const auto& one : read->repairs) said.push_back(text_of(one));
    return join(said, "; ");
  };
  const Retention usual;
  EXPECT_EQ(mended("tasks_days = -1\n", usual), "c:2:14: 'tasks_days' must be a number, 0 or more");
  EXPECT_NE(mended("tasks_days = nan\n", usual), "");
  EXPECT_NE(mended("unread_days = inf\n", usual), "");
  EXPECT_NE(mended("unread_days = '9'\n", usual), "");
  EXPECT_NE(mended("tasks_max = -1\n", usual), "");
  EXPECT_NE(mended("tasks_max = 1.5\n", usual), "");
  EXPECT_NE(mended("total_mb = -5\n", usual), "");
  EXPECT_EQ(mended("total_mb = 9000000000000000000\n", usual),
            "c:2:12: total_mb = 9000000000000000000 is more than any disk has: use a number of MB; "
            "until then it is 0");
  EXPECT_EQ(mended("task_days = 1\n", usual),
            "c:2:1: unknown key 'task_days' in [retention]: did you mean 'tasks_days'?");
  Retention longer;
  longer.tasks_days = longer.unread_days = 365;
  EXPECT_EQ(mended("tasks_days = 365\n", longer), "") << "unread ones are kept as long";
  EXPECT_EQ(mended("tasks_days = 365\nunread_days = 9\n", longer),
            "c:3:15: unread_days = 9 is less than tasks_days = 365: unread results are kept "
            "longest; until then it is 365");
  longer.tasks_days = longer.unread_days = 0;
  EXPECT_EQ(mended("tasks_days = 0\n", longer), "");
  longer.tasks_days = 30;
  EXPECT_EQ(mended("unread_days = 0\n", longer), "") << "for ever";
}

TEST(Config, TheFleetsShareIsRead) {
  const auto read =
      read_config("[fleet]\ntasks = 2\nlabels = ['gpu']\nqueues = ['default', 'night']\n", "c");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->config.fleet, (FleetShare{2, {"gpu"}, {"default", "night"}}));
  EXPECT_TRUE(read->repairs.empty());
}

TEST(Config, ABadShareOfTheFleetIsSaidAndMadeSafe) {
  const auto much = read_config("[fleet]\ntasks = 2000\n", "c");
  ASSERT_EQ(much->repairs.size(), 1u);
  EXPECT_EQ(text_of(much->repairs[0]), "c:2:9: tasks = 2000 is more than 1000: until then it is 4");
  EXPECT_EQ(much->config.fleet.tasks, 4);
  const auto read = read_config("[fleet]\ntasks = -1\nlabels = ['gpu', 'a.b', '>']\n", "c");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->config.fleet, (FleetShare{4, {"gpu"}, {"default"}}));
  ASSERT_EQ(read->repairs.size(), 3u);
  EXPECT_EQ(text_of(read->repairs[0]), "c:2:9: 'tasks' must be a whole number, 0 or more");
}

// A mistake keeps nobody's agents from running (O10).
TEST(Config, MistakesAreMadeSafeAndSaid) {
  const auto read = read_config(
      "[agent.one]\nstrategy = 'task-only'\nrestart = 'always'\nmode = 'lazy'\ncooldown_s = 'x'\n"
      "[agent.two]\nstrategy = 'sometimes'\nrestrat = 'never'\nsize = { cols = 0 }\n",
      "c");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->config.agents.size(), 2u);
  const AgentSpec& one = read->config.agents[0];
  EXPECT_EQ(one.strategy, "interval-poll") << "a loop mode in the place of the strategy";
  EXPECT_EQ(one.restart, Restart::never);
  EXPECT_EQ(one.mode, "paused");
  EXPECT_EQ(one.cooldown_s, 90);
  EXPECT_EQ(read->config.agents[1].strategy, "continuous");
  EXPECT_EQ(read->config.agents[1].size, (Size{120, 40}));
  EXPECT_EQ(read->repairs.size(), 7u);
  for (const auto& error : read->repairs) EXPECT_TRUE(error.what.starts_with("c:")) << error.what;
  EXPECT_FALSE(parse_config("[agent.one]\nmode = 'lazy'\n", "c")) << "the strict way";
  EXPECT_FALSE(read_config("[agent.one\n", "c")) << "no TOML at all";
}

// K14: what is no strategy at all is one that nobody knows, and not `once` in silence.
TEST(Config, AStrategyThatIsNoTextIsRepairedAndSaid) {
  const auto read = read_config("[agent.one]\nstrategy = 5\n", "c");
  ASSERT_TRUE(read);
  const AgentSpec& one = read->config.agents[0];
  EXPECT_EQ(one.strategy, "continuous");
  ASSERT_EQ(one.repairs.size(), 1u);
  EXPECT_NE(one.repairs[0].find("strategy = \"5\" is not known"), std::string::npos);
}

TEST(Config, ATaskIsNotWatchedWithoutAPause) {
  const auto read = read_config(
      "[agent.one]\ntask_health = { base_s = 0, stale_s = 0.5, deadline_s = 0, grace_s = 0 }\n"
      "[agent.two]\ntask_health = { base_s = 'x', stale_s = 3 }\n",
      "c");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->config.agents[0].task_health, (TaskHealth{30, 300, 0, 18000, 10, 10, 0}));
  EXPECT_EQ(read->config.agents[0].repairs.size(), 3u);
  EXPECT_EQ(read->config.agents[1].task_health.base_s, 30);
  EXPECT_EQ(read->config.agents[1].task_health.stale_s, 3);
  EXPECT_EQ(read->repairs.size(), 4u);
}

}  // namespace
}  // namespace pawl::model
