#pragma once
// For tests: values in which no field has its default, so that a forgotten one shows.

#include "model/fleet.h"

namespace pawl::model {

inline AgentSpec full_spec(const std::string& name) {
  AgentSpec spec;
  spec.name = name;
  spec.runtime = "claude";
  spec.profile = "generic";
  spec.command = {"claude", "--flag", "ünï \"quoted\" \n"};
  spec.dir = "/srv/docs";
  spec.backend = "tmux";
  spec.mode = "active";
  spec.strategy = "continuous";
  spec.restart = Restart::resume;
  spec.permission = "plan";
  spec.model = "opus";
  spec.prompt = "go on";
  spec.prompt_file = "prompt.md";
  spec.env_file = ".env";
  spec.env = "minimal";
  spec.env_keep = {"OPENAI_*"};
  spec.size = {81, 25};
  spec.memory = "4G";
  spec.cpu = "200%";
  spec.alive_window_s = 601.5;
  spec.cooldown_s = 91;
  spec.settle_s = 4.25;
  spec.stop_grace_s = 11;
  spec.crash_loop = {6, 901};
  spec.nudge = {301, 3.5, 7201, 4, 21};
  spec.patience = {601, 301, 1801, 3601};
  spec.human_quiet_s = 121;
  spec.ready = {151, 501, 31};
  spec.limit = {"ask", 61};
  spec.background = "wait";
  spec.dialogs = "off";
  spec.answer_permissions = "deny";
  spec.trust_dirs = {"/srv"};
  spec.may = {"answer"};
  spec.account = "work";
  spec.dry_run = true;
  spec.hooks = false;
  spec.floor_s = 62;
  spec.preflight = {257, 81};
  spec.recovery = {4, 601, {"refresh", "now"}};
  spec.loop = {302, 63, 2.5, 3601, {"0 9 * * *"}, "Europe/Berlin", true, true};
  spec.work = {{"/t"}, {"list"}, 301};
  spec.repairs = {"a word"};
  spec.task_health = {31, 301, 32, 18001, 11, 12, 13};
  spec.budget = {int64_t{1} << 40, 2.5, 81};
  spec.notify = {"desktop", "exec:x"};
  return spec;
}

inline WallTime wall(int64_t us) {
  return WallTime{Duration{us}};
}

inline Task full_task() {
  Task task;
  task.order = {"t",      "/x/t",
                {"a"},    {"b"},
                "claude", true,
                "/w",     7,
                1.5,      {kAgent, "docs", 9},
                "ab12",   {"u1", "gpu", 12, "once", "this"}};
  task.status = TaskStatus::failed;
  task.reason = "why";
  task.detail = "because of that";
  task.started = wall(11);
  task.finished = wall(12);
  task.exit_code = 3;
  task.retries = 1;
  task.failures = 2;
  task.renewals = 3;
  task.fresh = 4;
  task.tokens = 5;
  task.cost_usd = 0.25;
  task.report = {true, true, true, true, "limit", "m", wall(9), 2, "Bash", 1, 100, 0.5};
  task.read = true;
  return task;
}

inline Agent full_agent(const std::string& name) {
  Agent agent;
  agent.spec = full_spec(name);
  agent.state = State::waiting;
  agent.kind = "permission";
  agent.tier = Tier::screen;
  agent.because = "a dialog is open";
  agent.confidence = 0.75;
  agent.notices = {{"limit", "resets 3am", wall(1'700'000'000'500'000), 2, 10}};
  agent.recognised = "codex";
  agent.seen_command = {"codex", "--full"};
  agent.since = wall(1'700'000'000'123'456);
  agent.changed = wall(1'700'000'000'023'456);
  agent.session = SessionId{77};
  agent.process = Process{4242, 987654321};
  agent.ending = Ending{3, 0, true};
  agent.starts = 4;
  agent.restarts = 3;
  agent.nudges = 2;
  agent.tokens = 123456;
  agent.session_id = "0f7c-1";
  agent.transcript = "/home/x/0f7c-1.jsonl";
  agent.last_alive = wall(1'700'000'001'000'001);
  agent.human_last_seen = wall(1'700'000'002'000'002);
  agent.limited_until = wall(1'700'000'003'000'003);
  agent.paused = true;
  agent.paused_by = "an operator";
  agent.parked = true;
  agent.parked_because = "it crashed 5 times";
  agent.quarantined = "its rules did not come to an end";
  agent.dialog = Dialog{"May I?",     {{"Yes", Cost::allow}, {"No", Cost::deny}},
                        true,         "permission",
                        "rm -rf tmp", "0123456789abcdef"};
  agent.input = "shell";
  agent.background = 2;
  agent.memory.rested = wall(1'700'000'005'000'005);
  agent.memory.working = wall(6);
  agent.memory.nudged = wall(7);
  agent.memory.woken = wall(8);
  agent.memory.swept = wall(9);
  agent.memory.human = wall(7);
  agent.memory.restarts = {wall(8), wall(9)};
  agent.memory.seen = agent.memory.dismissed = agent.memory.resumed = true;
  agent.memory.named = agent.memory.nameless = true;
  agent.memory.told = true;
  agent.memory.matter = {"limit", 2, wall(10), true};
  agent.memory.task_unseen = Duration{18};
  agent.memory.desk = {{{"t1", "alice", 1, true, true}},
                       Given{{"t0", "bob", -1, true}, wall(15), true},
                       {{"t1", "1:10"}}};
  agent.memory.answered = Answer{"question", "Which?", {"A", "B"}, "B", Cost::free, "that"};
  agent.memory.answers = {{"plan", "Go?", {"Yes", "No"}, "Yes", Cost::allow, "this"}};
  agent.memory.sessions = {wall(13), wall(14), SessionEnd::memory, true,        true, 3, 2, 4, 5,
                           6,        1,        {"/a.jsonl"},       Duration{19}};
  agent.memory.spending = {
      "2023-11-14", 1200, 0.75,
      3400,         1.25, true,
      true,         true, {{"/a.jsonl", 4096, "m", {{"msg_1", {1, 2, 3, 4, 5}}}, wall(16)}},
      wall(17)};
  agent.intent = Intent{Seq{99}, Action::send, wall(1'700'000'004'000'004), 7, "nudge", "active"};
  agent.decision = LastDecision{
      Seq{98},          wall(1'700'000'004'000'000), Action::nudge, "idle", "nudge", "confirmed",
      "its box emptied"};
  agent.task = full_task();
  agent.outbox = {{7, Action::wake, 12, "ci", true}, {8, Action::send, 70'000, "", false}};
  return agent;
}

}  // namespace pawl::model
