#include "fleet/member.h"

#include <algorithm>
#include <utility>

#include "fleet/parts/accounts.h"
#include "fleet/parts/commands.h"
#include "fleet/parts/edits.h"
#include "fleet/parts/intake.h"
#include "fleet/parts/items.h"
#include "fleet/parts/jobs.h"
#include "fleet/parts/large_prompts.h"
#include "fleet/parts/mirror.h"
#include "fleet/parts/outbox.h"
#include "fleet/parts/presence.h"
#include "fleet/parts/reader.h"
#include "fleet/parts/units.h"

namespace pawl::fleet {

struct Member::Parts {
  explicit Parts(MemberOptions options) : desk(std::move(options)) {}

  Desk desk;
  Presence presence{desk};
  Mirror mirror{desk};
  Outbox outbox{desk};
  Reader reader{desk};
  Units units{desk};
  Jobs jobs{desk, units};
  Edits edits{desk, units};
  Commands commands{desk, presence};
  Intake intake{desk, units, edits};
  Accounts accounts{desk, presence, mirror};
  LargePrompts large{desk, units, edits};
  Items items{desk};
  std::string link_because = "it was not reached yet";

  void hear(const BusReply& reply);
  void hear(const BusEntry& entry);
  void hear(const BusCaughtUp& caught_up);
  void hear(const BusLink& link);
  void hear(const BusMessage& message);
  void hear(const BusAsked& asked) { commands.asked(asked); }

  void answer(const Question& question, const BusReply& reply);
  void turn_link(bool up);
  void tidy_up();
  void turn();
};

void Member::Parts::answer(const Question& question, const BusReply& reply) {
  switch (question.part) {
    case Part::presence:
      return presence.reply(question, reply);
    case Part::mirror:
      return mirror.reply(question, reply);
    case Part::outbox:
      return outbox.reply(question, reply);
    case Part::reader:
      return reader.reply(question, reply);
    case Part::jobs:
      return jobs.reply(question, reply);
    case Part::edits:
      return edits.reply(question, reply);
    case Part::commands:
      return commands.reply(question, reply);
    case Part::intake:
      return intake.reply(question, reply);
    case Part::accounts:
      return accounts.reply(question, reply);
    case Part::blobs:
      return large.reply(question, reply);
    case Part::items:
      return items.reply(question, reply);
  }
}

void Member::Parts::hear(const BusReply& reply) {
  if (const auto question = desk.take(reply.id)) answer(*question, reply);
}

void Member::Parts::hear(const BusEntry& entry) {
  switch (entry.bucket) {
    case Bucket::nodes:
      return presence.entry(entry);
    case Bucket::agents:
      return mirror.entry(entry);
    case Bucket::work:
      jobs.unit_told(entry);
      units.entry(entry);
      return jobs.unit_changed(entry.key);
    case Bucket::leases:
      jobs.lease_told(entry);
      return units.lease_entry(entry);
    case Bucket::accounts:
      return accounts.entry(entry);
    case Bucket::blobs:
      return;
  }
}

void Member::Parts::hear(const BusCaughtUp& caught_up) {
  if (caught_up.bucket == Bucket::nodes) presence.caught_up();
  if (caught_up.bucket == Bucket::agents) mirror.caught_up();
  if (caught_up.bucket == Bucket::accounts) accounts.caught_up();
  units.caught_up(caught_up.bucket);
  if (caught_up.bucket == Bucket::work) jobs.caught_up();
}

void Member::Parts::hear(const BusMessage& message) {
  if (outbox.message(message) || reader.message(message)) return;
  if (intake.message(message) || message.token.empty()) return;
  desk.tell({.op = BusOp::back, .key = message.token});  // nobody waits for it any more
}

// Whoever waits for an answer is told that none comes, before anything is asked anew.
void Member::Parts::turn_link(bool up) {
  desk.up = up;
  for (const auto& [id, question] : desk.give_up_all()) answer(question, {.id = id});
  presence.link_changed();
  mirror.link_changed();
  outbox.link_changed();
  reader.link_changed();
  units.link_changed();
  jobs.link_changed();
  edits.link_changed();
  commands.link_changed();
  intake.link_changed();
  accounts.link_changed();
  large.link_changed();
  items.link_changed();
}

void Member::Parts::hear(const BusLink& link) {
  const bool was = desk.up;
  if (was) turn_link(false);
  link_because = link.because;
  desk.cluster = link.cluster;
  if (link.up) turn_link(true);
  if (was && !link.up)
    desk.people(model::Severity::warning, "fleet bus", "the fleet's bus is lost: " + link.because,
                "this machine works on alone; what it missed is caught up");
  if (!link.note.empty()) desk.people(model::Severity::info, "fleet server", link.note);
}

// What earlier lives of ours left on the bus.
void Member::Parts::tidy_up() {
  for (const auto& unit : units.take_orphans()) edits.give_back(unit);
  for (const auto& unit : units.take_untold()) edits.look_up(unit);
  for (const auto& [unit, revision] : units.take_left_leases())
    desk.tell({.op = BusOp::remove, .bucket = Bucket::leases, .key = unit, .revision = revision});
}

// Everything that is due now.
void Member::Parts::turn() {
  for (const auto& [id, question] : desk.give_up_late()) answer(question, {.id = id});
  presence.step();
  const bool joined = presence.joined();
  accounts.step(joined);
  units.limited(accounts.limited_now());
  units.step();
  if (joined) tidy_up();
  edits.step();
  for (const auto& unit : edits.take_written()) jobs.unit_changed(unit);
  intake.step(joined);
  jobs.step(joined);
  mirror.step(joined);
  outbox.step(joined);
  reader.step();
  commands.step();
  large.step();
  items.step();
}

Member::Member(MemberOptions options, const std::vector<Claim>& claims, const Now& now)
    : parts_(std::make_unique<Parts>(std::move(options))) {
  parts_->desk.now = now;
  parts_->jobs.restore(claims);
  parts_->turn();
}

Member::~Member() = default;

void Member::hear(const Now& now, const BusNews& news) {
  parts_->desk.now = now;
  std::visit([this](const auto& one) { parts_->hear(one); }, news);
  parts_->turn();
}

void Member::step(const Now& now) {
  parts_->desk.now = now;
  parts_->turn();
}

std::vector<BusAsk> Member::asks() {
  return parts_->desk.asks();
}

std::vector<Order> Member::orders() {
  return parts_->desk.orders();
}

std::optional<MonoTime> Member::wake_at() const {
  const Parts& p = *parts_;
  std::optional<MonoTime> out = p.desk.wake_at();
  for (const auto& one :
       {p.presence.wake_at(), p.mirror.wake_at(), p.outbox.wake_at(), p.reader.wake_at(),
        p.units.wake_at(), p.jobs.wake_at(), p.edits.wake_at(), p.commands.wake_at(),
        p.intake.wake_at(), p.accounts.wake_at(), p.large.wake_at(), p.items.wake_at()})
    out = earlier(out, one);
  return out;
}

void Member::capacity(const Now& now, Capacity capacity) {
  parts_->desk.now = now;
  parts_->presence.capacity(capacity);
  parts_->jobs.capacity(capacity);
  parts_->units.capacity(capacity);
  parts_->turn();
}

void Member::agent(const Now& now, const std::string& name, const std::string& account, Json view) {
  parts_->desk.now = now;
  parts_->mirror.agent(name, account, std::move(view));
  parts_->turn();
}

void Member::agent_gone(const Now& now, const std::string& name) {
  parts_->desk.now = now;
  parts_->mirror.gone(name);
  parts_->turn();
}

void Member::journal(const Now& now, uint64_t last) {
  parts_->desk.now = now;
  parts_->outbox.journal(last);
  parts_->turn();
}

void Member::events(const Now& now, const std::vector<JournalEvent>& events) {
  parts_->desk.now = now;
  parts_->outbox.events(events);
  parts_->turn();
}

void Member::ended(const Now& now, const std::string& unit, uint64_t token, Ended ended) {
  parts_->desk.now = now;
  parts_->jobs.ended(unit, token, std::move(ended));
  parts_->turn();
}

void Member::inboxed(const Now& now, const std::string& token, bool kept) {
  parts_->desk.now = now;
  parts_->intake.inboxed(token, kept);
  parts_->turn();
}

void Member::account_limited(const Now& now, const std::string& account, WallTime until) {
  parts_->desk.now = now;
  parts_->accounts.limited(account, until);
  parts_->turn();
}

void Member::drain(const Now& now) {
  parts_->desk.now = now;
  parts_->jobs.drain();
  parts_->turn();
}

void Member::leave(const Now& now) {
  parts_->desk.now = now;
  parts_->jobs.drain();
  parts_->presence.leave();
  parts_->turn();
}

void Member::submit(const Now& now, uint64_t ticket, const UnitOrder& order, std::string prompt) {
  parts_->desk.now = now;
  if (prompt.empty())
    parts_->edits.submit(ticket, order);
  else
    parts_->large.submit(ticket, order, std::move(prompt));
  parts_->turn();
}

void Member::again(const Now& now, uint64_t ticket, const std::string& unit,
                   const std::string& by) {
  parts_->desk.now = now;
  parts_->edits.again(ticket, unit, by);
  parts_->turn();
}

void Member::send_item(const Now& now, uint64_t ticket, const std::string& node,
                       const std::string& agent, std::string value) {
  parts_->desk.now = now;
  parts_->items.send(ticket, node, agent, std::move(value));
  parts_->turn();
}

void Member::fetch(const Now& now, uint64_t ticket, const Json& blob) {
  parts_->desk.now = now;
  parts_->large.fetch(ticket, blob);
  parts_->turn();
}

void Member::cancel(const Now& now, uint64_t ticket, const std::string& unit,
                    const std::string& by) {
  parts_->desk.now = now;
  parts_->edits.cancel(ticket, unit, by);
  parts_->turn();
}

void Member::ask(const Now& now, uint64_t ticket, const std::string& node, std::string verb,
                 Duration limit) {
  parts_->desk.now = now;
  parts_->commands.ask(ticket, node, std::move(verb), limit);
  parts_->turn();
}

void Member::answered(const Now& now, const std::string& token, std::string value) {
  parts_->desk.now = now;
  parts_->commands.answered(token, std::move(value));
  parts_->turn();
}

bool Member::linked() const {
  return parts_->desk.up;
}

bool Member::joined() const {
  return parts_->presence.joined();
}

std::string Member::because() const {
  if (!linked()) return parts_->link_because;
  if (joined()) return {};
  const std::string& refused = parts_->presence.refused();
  return refused.empty() ? "it is joining" : refused;
}

std::vector<NodeSeen> Member::nodes() const {
  return parts_->presence.nodes();
}

std::vector<AgentSeen> Member::agents() const {
  return parts_->mirror.others();
}

size_t Member::units() const {
  return parts_->units.all().size();
}

size_t Member::held() const {
  return parts_->jobs.count();
}

namespace {

UnitSeen seen_of(const Units& units, const Unit& unit) {
  return {unit.name, unit.state, unit.node, unit.token, unit.tries, unit.value, units.why(unit)};
}

}  // namespace

std::optional<UnitSeen> Member::unit(const std::string& name) const {
  const Unit* unit = parts_->units.find(name);
  return unit ? std::optional(seen_of(parts_->units, *unit)) : std::nullopt;
}

std::vector<UnitSeen> Member::unit_list(size_t most) const {
  std::vector<UnitSeen> out;
  const auto add = [&](bool ended) {
    for (const auto& [name, unit] : parts_->units.all())
      if (over(unit.state) == ended && out.size() < most)
        out.push_back(seen_of(parts_->units, unit));
  };
  add(false);
  add(true);
  return out;
}

std::optional<std::set<std::string>> Member::limited() const {
  if (!parts_->accounts.complete()) return std::nullopt;
  return parts_->accounts.limited_now();
}

std::optional<WallTime> Member::wake_of(const std::string& agent) const {
  return parts_->accounts.wake_of(agent);
}

}  // namespace pawl::fleet
