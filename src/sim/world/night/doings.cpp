// What people, senders and faults do in a night.

#include <algorithm>
#include <cerrno>

#include "sim/world/night/night.h"
#include "term/keys.h"

namespace pawl::sim {
namespace {

constexpr std::string_view kEnter = "\r", kClear = "\x15";

// Its ordinary life, and nothing odd in it.
Behaviour ordinary(const Behaviour& from) {
  Behaviour out;
  out.turn_from = from.turn_from, out.turn_to = from.turn_to;
  out.pace = from.pace;
  out.job_from = from.job_from, out.job_to = from.job_to;
  out.tokens = from.tokens, out.context = from.context;
  return out;
}

}  // namespace

std::string Night::folder_of(const std::string& agent) const {
  return std::string(kHome) + "/agents/" + agent;
}

const std::string& Night::project_of(const std::string& agent) const {
  return actors_.at(agent)->spec.dir;
}

Behaviour Night::behaviour_of(const Actor& actor) const {
  Behaviour out = calm_ && !actor.stays ? ordinary(actor.behaviour) : actor.behaviour;
  if (outage_) out.overload = 1;
  return out;
}

void Night::behave() {
  host_.behave([this](const std::string& agent) {
    const auto it = actors_.find(agent);
    return it == actors_.end() ? Behaviour{} : behaviour_of(*it->second);
  });
}

void Night::happen(const Doing& doing) {
  ++report_.doings[std::string(word(doing.does))];
  coverage_.happens(now_, doing, journal_.fleet());
  switch (doing.does) {
    case Does::types:
    case Does::submits:
    case Does::clears:
    case Does::presses:
      return person(doing);
    case Does::befalls:
      if (Running* its = host_.program(doing.agent)) its->order(now_.mono, doing.text);
      return host_.touched(doing.agent);
    case Does::gives_work:
    case Does::rewrites:
    case Does::takes_back:
    case Does::wakes:
      return files(doing);
    case Does::answers:
    case Does::sends:
    case Does::pauses:
    case Does::resumes:
    case Does::stops:
    case Does::starts:
    case Does::restarts:
      return through_pawl(doing);
    case Does::runs_task:
    case Does::cancels_task:
    case Does::resumes_task:
    case Does::loses_folder:
    case Does::loses_lease:
      return task(doing);
    case Does::kills_daemon:
    case Does::kills_holder:
    case Does::suspends:
    case Does::sets_clock:
    case Does::fills_disk:
    case Does::frees_disk:
    case Does::breaks_reading:
    case Does::mends_reading:
    case Does::puts_pipe:
    case Does::slows_host:
    case Does::quickens_host:
    case Does::hangs_kernel:
    case Does::wakes_kernel:
    case Does::deletes_home:
    case Does::limits_account:
    case Does::service_fails:
    case Does::service_works:
    case Does::reboots:
    case Does::hangs_mount:
    case Does::mends_mount:
    case Does::cuts_bus:
    case Does::calms:
      return fault(doing);
  }
}

// At its terminal, through `pawl attach`: without a daemon nobody is there.
void Night::person(const Doing& doing) {
  if (!engine_) return;
  std::string keys = doing.text;
  if (doing.does == Does::clears) keys = kClear;
  if (doing.does == Does::presses) keys = term::key_bytes(doing.text, {}).value_or(doing.text);
  if (doing.does == Does::submits) keys += kEnter;
  ask_checkers();                  // what the daemon wrote before
  if (host_.program(doing.agent))  // else it goes nowhere
    each_checker([&](Checker& one) { one.person(now_.mono, doing.agent, keys); });
  bool taken = false;
  try {
    taken = engine_->type(now_, doing.agent, keys, "attach").has_value();
  } catch (const Killed&) {
    killed(std::chrono::seconds{3});
  }
  const auto written = host_.take_written();
  if (taken && engine_ && written.empty() && host_.program(doing.agent))
    each_checker([&](Checker& one) { one.held(now_.mono, doing.agent, keys); });
}

void Night::files(const Doing& doing) {
  const auto& folders = actors_.at(doing.agent)->spec.work.folders;
  const std::string inbox =
      (folders.empty() ? folder_of(doing.agent) + "/inbox" : folders.front()) + "/";
  if (disk_.hangs(inbox)) return;  // for whoever wants to write there, too
  if (doing.does == Does::takes_back)
    disk_.remove_file(inbox + doing.text);
  else if (doing.does == Does::wakes)
    (void)disk_.write_atomically(folder_of(doing.agent) + "/wakeup_pending", doing.text);
  else if (disk_.make_private_dir(inbox))  // as `pawl inbox add` does
    (void)disk_.write_atomically(inbox + doing.text, "from: alice\n\ndo " + doing.text);
  if (engine_) engine_->look_for_wakeup(doing.agent);
}

// A row of the dialog that the daemon shows. Which one that is, is certain when it has stood there for a while.
void Night::answers(RequestId request, const Doing& doing) {
  if (doing.text == kKeep)  // what was chosen last is a rule from now on
    return (void)engine_->submit(core::KeepAnswer{request, doing.agent});
  const model::Agent* agent = engine_->fleet().find(doing.agent);
  const Running* program = host_.program(doing.agent);
  const Asked* asked = program ? program->asked() : nullptr;
  const bool stands = agent && agent->dialog && asked && asked->shown != MonoTime{} &&
                      now_.mono - asked->shown > std::chrono::seconds{2};
  each_checker(
      [&](Checker& one) { one.answers(now_.mono, doing.agent, stands ? asked->number : 0); });
  core::AnswerAsked ask{request, doing.agent, std::to_string(doing.number + 1)};
  if (agent && agent->dialog) ask.dialog = agent->dialog->id;
  engine_->submit(std::move(ask));
}

void Night::through_pawl(const Doing& doing) {
  if (!engine_) return;  // nobody takes it
  const RequestId request = engine_->next_request();
  const bool known = engine_->fleet().find(doing.agent) != nullptr;
  if (doing.does == Does::sends) {
    core::SendAsked ask;
    ask.request = request;
    ask.agent = doing.agent;
    if (!known || !engine_->send(now_, ask, doing.text)) return;
    ++report_.texts;
    senders_[request] = {doing.agent, doing.text};
    return each_checker([&](Checker& one) { one.sent(now_.mono, doing.agent, doing.text); });
  }
  each_checker([&](Checker& one) { one.asked(now_.mono, doing.agent); });
  if (doing.does == Does::answers)
    answers(request, doing);
  else if (doing.does == Does::pauses || doing.does == Does::resumes)
    engine_->submit(core::PauseAsked{request, doing.agent, doing.does == Does::pauses, "a person"});
  else if (doing.does == Does::stops)
    engine_->submit(core::StopAsked{request, doing.agent, "a person"});
  else if (doing.does == Does::starts)
    engine_->submit(core::StartAsked{request, doing.agent, "a person"});
  else
    engine_->submit(core::RestartAsked{request, doing.agent, "a person", true});
}

// The daemon learns of it by its heart (core/heart.h), with its next turn.
void Night::sleeps(Duration length) {
  now_.wall += length;
  boot_ += length;
  now_.boot = BootTime{boot_};
  host_.set_time(now_);
  host_.clock_set(length);
}

void Night::set_clock(Duration by) {
  now_.wall += by;
  host_.clock_set(by);
}

void Night::reboot(Duration down) {
  engine_.reset();
  host_.machine_died();
  // Another boot counts from its own beginning.
  for (auto& [agent, lease] : leases_) lease.until -= boot_;
  boot_ = {};
  now_.boot = {};
  host_.set_time(now_);
  killed(down);
  ask_checkers();
}

void Night::hang_kernel(bool hangs) {
  host_.set_hung(hangs);
  each_checker([&](Checker& one) { one.kernel(now_.mono, hangs); });
}

void Night::limit_account(const Doing& doing) {
  const auto reached = [&](const std::string& agent) {
    if (Running* its = host_.program(agent))
      its->fail(now_.mono, Trouble::limit, now_.wall + doing.length);
    host_.touched(agent);
  };
  const auto length = std::chrono::duration_cast<std::chrono::seconds>(doing.length).count();
  if (length % 3 != 0) hear_of_limit(doing.text, doing.length, length);
  if (length % 3 == 1) return;  // those on another machine ran into it
  for (const auto& [agent, actor] : actors_)
    if (actor->model == doing.text) reached(agent);
  for (const auto& [agent, task] : tasks_)
    if (task->program == doing.text) reached(agent);
}

// The fleet's other machines say it. Some of them use it before ours do after that; now and then it is over sooner.
void Night::hear_of_limit(const std::string& account, Duration lasts, int64_t odd) {
  if (!engine_ || now_.mono < bus_back_) return;
  model::AccountSeen seen{account, "there", now_.wall + lasts, {}};
  if (odd % 2 == 0) seen.turn = *seen.until + std::chrono::seconds{5} * (odd % 7);
  if (odd % 5 == 0) seen.until.reset();
  engine_->submit(core::AccountHeard{std::move(seen)});
}

void Night::calm() {
  armed_.clear();
  soon_.clear();
  calm_ = true;
  outage_ = false;
  journal_.full = false;
  journal_.kill_after(0);
  host_.kill_after(0);
  disk_.set_capacity(UINT64_MAX);
  bus_back_ = {};
  host_.set_slow({});
  hang_kernel(false);
  for (const auto& [agent, actor] : actors_)
    disk_.mend(folder_of(agent)), disk_.mend(project_of(agent));
  for (const auto& path : std::exchange(pipes_, {})) disk_.remove_file(path);
  behave();
}

void Night::disk_fault(const Doing& doing) {
  const std::string folder = folder_of(doing.agent);
  const Does does = doing.does;
  if (does == Does::fills_disk || does == Does::frees_disk) {
    journal_.full = does == Does::fills_disk;
    return disk_.set_capacity(journal_.full ? disk_.used() : UINT64_MAX);
  }
  if (does == Does::breaks_reading) return disk_.break_reading(folder, EIO);
  if (does == Does::mends_reading) return disk_.mend(folder);
  if (does == Does::hangs_mount) return disk_.hang(project_of(doing.agent));
  if (does == Does::mends_mount) {
    disk_.mend(project_of(doing.agent));
    if (engine_) engine_->look_for_wakeup(doing.agent);  // as it does every few seconds
    return;
  }
  pipes_.push_back(folder + "/" + doing.text);
  disk_.put(pipes_.back(), store::Kind::pipe);
}

void Night::fault(const Doing& doing) {
  switch (doing.does) {
    case Does::kills_daemon:
      if (!engine_) return;
      if (doing.number == 0) return killed(doing.length);
      return doing.number % 2 == 0 ? host_.kill_after(doing.number / 2)
                                   : journal_.kill_after(doing.number / 2 + 1);
    case Does::kills_holder:
      host_.holder_died(0, std::max<size_t>(doing.number, 1));
      return;
    case Does::suspends:
      return sleeps(doing.length);
    case Does::sets_clock:
      return set_clock(doing.length);
    case Does::fills_disk:
    case Does::frees_disk:
    case Does::breaks_reading:
    case Does::mends_reading:
    case Does::puts_pipe:
    case Does::hangs_mount:
    case Does::mends_mount:
      return disk_fault(doing);
    case Does::slows_host:
      return host_.set_slow(doing.length);
    case Does::quickens_host:
      return host_.set_slow({});
    case Does::hangs_kernel:
    case Does::wakes_kernel:
      return hang_kernel(doing.does == Does::hangs_kernel);
    case Does::deletes_home:
      (void)disk_.remove_tree(kHome);
      each_checker([](Checker& one) { one.lost_home(); });
      return disk_.put(kHome, store::Kind::folder);
    case Does::limits_account:
      return limit_account(doing);
    case Does::service_fails:
    case Does::service_works:
      outage_ = doing.does == Does::service_fails;
      return behave();
    case Does::reboots:
      return reboot(doing.length);
    case Does::cuts_bus:
      return cut_bus(doing.length);
    case Does::calms:
      return calm();
    case Does::types:
    case Does::submits:
    case Does::clears:
    case Does::presses:
    case Does::befalls:
    case Does::answers:
    case Does::sends:
    case Does::gives_work:
    case Does::rewrites:
    case Does::takes_back:
    case Does::wakes:
    case Does::pauses:
    case Does::resumes:
    case Does::stops:
    case Does::starts:
    case Does::restarts:
    case Does::runs_task:
    case Does::cancels_task:
    case Does::resumes_task:
    case Does::loses_folder:
    case Does::loses_lease:
      return;
  }
}

}  // namespace pawl::sim
