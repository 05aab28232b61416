#include "sim/world/night/night.h"

#include <algorithm>

#include "core/options.h"
#include "core/parts/live_terminal.h"
#include "policy/decide.h"
#include "sim/world/agents/program.h"
#include "sim/world/chance.h"
#include "sim/world/night/digest.h"
#include "store/survey.h"

namespace pawl::sim {
namespace {

constexpr int kMostRounds = 500;  // turns at one instant: more is a spin
constexpr Duration kCommandTakes = std::chrono::seconds{1};
constexpr Duration kReturns = std::chrono::seconds{3};  // a daemon that died of a call
const Clock kBegin{MonoTime{std::chrono::hours{1}}, WallTime{std::chrono::hours{24 * 365 * 56}},
                   BootTime{std::chrono::hours{1}}};

// Nobody has to be sent: this disk knows what hangs.
class WorldMessengers : public store::Messengers {
 public:
  explicit WorldMessengers(const store::MemoryDisk& disk) : disk_(disk) {}
  std::shared_ptr<const os::Late> run(const std::string& path,
                                      std::function<void()> errand) override {
    if (disk_.hangs(path)) return std::make_shared<Waiting>(disk_, path);
    return errand(), nullptr;
  }
  std::string place_of(const std::string& path) override { return path; }

 private:
  struct Waiting : os::Late {
    Waiting(const store::MemoryDisk& disk, std::string path)
        : disk_(disk), path_(std::move(path)) {}
    bool back() const override { return !disk_.hangs(path_); }
    const store::MemoryDisk& disk_;
    const std::string path_;
  };
  const store::MemoryDisk& disk_;
};

Result<Zone> utc(std::string_view) {
  return Zone::utc();
}

}  // namespace

Night::Night(const NightStory& story, const perceive::Catalog& catalog)
    : story_(story),
      catalog_(catalog),
      now_(kBegin),
      end_(kBegin.mono + story.length),
      host_([this](const std::string& agent) { return cast_of(agent); }),
      checkers_(all_checkers()) {
  for (const auto& actor : story_.actors) actors_[actor.spec.name] = &actor;
  for (const auto& task : story_.tasks) tasks_[task.spec.name] = &task;
  disk_.put(kHome, store::Kind::folder);
  journal_.seen = [this](const model::Event& event, const model::Fleet& before) {
    written(event, before);
  };
  journal_.unwritten = [this](const auto& events) { coverage_.unwritten(events); };
}

Night::~Night() {
  engine_.reset();  // it has files open on the disk
}

// Every life of a program has its own chance, and nobody else's draws shift it.
Cast Night::cast_of(const std::string& agent) {
  if (const auto task = tasks_.find(agent); task != tasks_.end()) return cast_of(*task->second);
  const auto it = actors_.find(agent);
  const Model* model = it == actors_.end() ? nullptr : find_model(it->second->model);
  if (!model) return {};
  const Actor& actor = *it->second;
  Cast cast;
  cast.runtime = model->name;
  cast.program = std::make_unique<Program>(*model, behaviour_of(actor),
                                           Chance(actor.seed + ++starts_[agent]).next());
  return cast;
}

void Night::written(const model::Event& event, const model::Fleet& before) {
  ++report_.events;
  if (const auto* decided = std::get_if<model::Decided>(&event.fact)) {
    ++report_.decisions;
    if (!decided->rule.empty()) ++report_.did[std::string(word(decided->action))];
    this->decided(event.agent, decided->action);
  } else if (const auto* changed = std::get_if<model::StateChanged>(&event.fact)) {
    if (actors_.contains(event.agent)) states_.changed(event.agent, changed->to, now_.mono);
  }
  if (const auto* ended = std::get_if<model::TaskEnded>(&event.fact))
    ++report_.tasks[std::string(word(ended->status))];
  report_.digest = digest_of(report_.digest, event);
  if (saw) saw(now_, event);
  each_checker([&](Checker& one) { one.event(now_, event, before); });
}

// Whoever waited for it does what he does in a moment.
void Night::decided(const std::string& agent, model::Action action) {
  const auto it = std::find_if(armed_.begin(), armed_.end(), [&](const Doing* one) {
    return one->upon == action && (one->agent.empty() || one->agent == agent);
  });
  if (it == armed_.end()) return;
  soon_.emplace(now_.mono + (*it)->after, *it);
  armed_.erase(it);
}

void Night::happen_now() {
  for (; next_doing_ < story_.doings.size(); ++next_doing_) {
    const Doing& doing = story_.doings[next_doing_];
    if (kBegin.mono + doing.at > now_.mono) break;
    if (doing.upon)
      armed_.push_back(&doing);
    else
      happen(doing);
  }
  while (!soon_.empty() && soon_.begin()->first <= now_.mono) {
    const Doing* doing = soon_.begin()->second;
    soon_.erase(soon_.begin());
    happen(*doing);
  }
}

void Night::live() {
  core::EngineOptions options;
  options.home = kHome;
  options.recordings = store::RecordingLimits{16u << 10, 32u << 10};
  options.catalog = &catalog_;
  options.zone_of = utc;
  options.pawl = "/usr/bin/pawl";  // programs call it: hooks
  options.keep = night_retention();
  engine_.reset();
  patient_ =
      std::make_unique<store::PatientDisk>(std::shared_ptr<store::Disk>(&disk_, [](auto*) {}),
                                           kHome, std::make_unique<WorldMessengers>(disk_));
  options.disk = patient_.get();
  host_.daemon_came();
  engine_ = std::make_unique<core::Engine>(host_, journal_, options, *journal_.recover());
  // As the daemon reckons it; less than nothing: the clock was set back.
  const Duration away = died_ ? now_.wall - *std::exchange(died_, std::nullopt) : Duration{0};
  engine_->recover(now_, away > -core::kJump ? std::max(Duration{0}, away) : away);
  heart_.emplace(now_, boot_, Duration{});
  meet_bus();
  comes_at_.reset();
}

// With -9, wherever it was. What it had not written is forgotten; programs live on.
void Night::killed(Duration away) {
  engine_.reset();
  host_.daemon_died();
  journal_.kill_after(0);
  commands_.clear();
  senders_.clear();
  answers_late_.clear();
  if (!died_) died_ = now_.wall;
  comes_at_ = now_.mono + away;
  each_checker([&](Checker& one) { one.died(now_.mono, now_.mono + away); });
}

void Night::end_commands() {
  while (!commands_.empty() && commands_.front().first <= now_.mono) {
    core::CommandEnded ended;
    ended.intent = commands_.front().second.intent;
    ended.fine = true;
    ended.how = "exit code 0";
    commands_.pop_front();
    engine_->submit(ended);
  }
}

void Night::turn() {
  ++report_.turns;
  try {
    if (const auto gap = heart_->beat(now_, boot_, {})) engine_->slept(now_, *gap);
    end_commands();
    for (const auto& hook : host_.take_hooks())
      engine_->hook(now_, hook.agent, hook.session, hook.runtime, hook.json);
    engine_->turn(now_);
    for (auto& command : engine_->take_commands())
      commands_.emplace_back(now_.mono + kCommandTakes, std::move(command));
    for (const auto& answer : engine_->take_answers()) answered(answer);
    report_.told += engine_->take_alerts().size();
    engine_->take_folders();
    for (const auto& task : engine_->take_finished()) read_result(task.agent);
    look_at_home();
    leases_after_turn();
  } catch (const Killed&) {
    killed(kReturns);
  }
  ask_checkers();
}

// For retention: as the daemon's own thread does.
void Night::look_at_home() {
  if (!engine_->take_survey()) return;
  store::empty_bin(disk_, kHome);
  engine_->surveyed(now_, store::survey(disk_, kHome));
}

// Whoever sent a text knows now what became of it, or that it waits.
void Night::answered(const core::Answer& answer) {
  const auto it = senders_.find(answer.request);
  if (it == senders_.end()) return;
  const std::pair<std::string, std::string> sent = std::move(it->second);
  senders_.erase(it);
  if (!answer.done) each_checker([&](Checker& one) { one.refused(sent.first, sent.second); });
}

Look Night::look() {
  return {now_,
          engine_->fleet(),
          journal_.fleet(),
          journal_.full,
          &disk_,
          &journal_.tasks(),
          [this](const std::string& agent) {
            const Running* program = host_.program(agent);
            return program ? program->in_box() : std::string{};
          }};
}

void Night::ask_checkers() {
  for (const auto& one : host_.take_log()) {
    if (one.entry.what == Entry::What::took && one.entry.reached == Reached::model) ++report_.taken;
    each_checker([&](Checker& checker) { checker.took(one.agent, one.entry); });
    const auto actor = actors_.find(one.agent);
    if (actor != actors_.end() && actor->second->model == "codex")
      rollouts_.took(one.agent, one.entry, actor->second->spec.dir, now_.wall, disk_);
  }
  for (const auto& one : host_.take_written())
    each_checker([&](Checker& checker) { checker.wrote(one.at, one.agent, one.bytes); });
  if (engine_) each_checker([&](Checker& one) { one.turned(look()); });
  for (const auto& path : disk_.hung())
    report_.violations.push_back({now_.mono, "hung", "", "the daemon waits for " + path});
  each_checker([&](Checker& one) {
    if (one.found())
      for (auto& each : one.take()) {
        if (engine_ && engine_->fleet().find(each.agent)) {
          const auto opinion = engine_->opinion(now_, each.agent);
          each.what += " [rule " + opinion.rule + ": " + opinion.choice.because + "]";
          if (const auto* live = engine_->terminal(each.agent))
            each.screen = live->terminal().screen().text();
        }
        report_.violations.push_back(std::move(each));
      }
  });
}

std::optional<MonoTime> Night::next() const {
  std::optional<MonoTime> at = engine_ ? engine_->wake_at() : comes_at_;
  const auto sooner = [&](std::optional<MonoTime> other) {
    if (other && (!at || *other < *at)) at = other;
  };
  sooner(host_.wake_at());
  if (!commands_.empty()) sooner(commands_.front().first);
  sooner(next_lease());
  if (!soon_.empty()) sooner(soon_.begin()->first);
  if (next_doing_ < story_.doings.size()) sooner(kBegin.mono + story_.doings[next_doing_].at);
  return at;
}

void Night::go_to(MonoTime at) {
  const Duration passed = std::max(at - now_.mono, Duration{0});
  boot_ += passed;
  now_ = {now_.mono + passed, now_.wall + passed, BootTime{boot_}};
  rounds_ = passed > Duration{0} ? 0 : rounds_ + 1;
  host_.set_time(now_);
  disk_.set_time(now_.wall);
}

void Night::begin() {
  host_.set_time(now_);
  disk_.set_time(now_.wall);
  live();
  for (const auto& actor : story_.actors) {
    core::RunAsked ask;
    ask.spec = actor.spec;
    ask.because = "the night begins";
    engine_->submit(ask);
  }
  turn();
}

NightReport Night::run() {
  begin();
  while (report_.violations.empty()) {
    const auto at = next();
    if (!at || *at > end_) break;
    go_to(*at);
    if (rounds_ > kMostRounds) {
      report_.violations.push_back({now_.mono, "rest", "", "the daemon does not come to rest"});
      break;
    }
    host_.advance();
    judge_leases();
    happen_now();
    if (!engine_ && comes_at_ && *comes_at_ <= now_.mono) live();
    keep_leases();
    if (engine_) turn();
  }
  if (report_.violations.empty()) go_to(end_);
  if (engine_ && report_.violations.empty()) turn();
  if (engine_ && report_.violations.empty()) {
    each_checker([&](Checker& one) { one.ended(look()); });
    ask_checkers();
  }
  report_.hours = states_.hours(report_.violations.empty() ? end_ : now_.mono);
  report_.marks = coverage_.reached();
  return std::move(report_);
}

}  // namespace pawl::sim
