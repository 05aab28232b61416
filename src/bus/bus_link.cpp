// The connection: reached, joined, lost, and reached again; and what comes over it.

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "bus/bus.h"
#include "fleet/bus_names.h"
#include "os/clock.h"

namespace pawl::bus {

using fleet::BusEnd;

Bus::Bus(os::Loop& loop, Tell tell)
    : tell_(std::move(tell)),
      line_(loop, {[this](const Reached& at) { opened(at); },
                   [this](const Error& error, bool hopeless) { lose(error, hopeless); },
                   [this](const std::string& because) {
                     lose({because, "pawl tries again by itself"}, false);
                   },
                   [this](Heard& one) { heard(one); },
                   [this](const std::string& words) { denied(words); }}),
      questions_(loop, line_),
      follows_(loop, line_, questions_,
               {[this](fleet::BusNews one) { news(std::move(one)); },
                [this](const std::string& because) {
                  failed_ = because;
                  soon_.ask();
                }}),
      takes_(loop, line_, questions_, [this](fleet::BusNews one) { news(std::move(one)); }),
      joining_(questions_, [this](const Result<std::string>& how) { joined(how); }),
      again_(loop, [this] { reach(); }),
      slow_(loop,
            [this] {
              tell_({fleet::BusNews{
                  fleet::BusLink{false, "the bus takes long to be reached", "", ""}}});
            }),
      silent_(loop, [this] { takes_.give_all_back(); }),
      soon_(loop, [this] {
        if (const auto because = std::exchange(failed_, std::nullopt))
          lose({*because, "pawl tries again by itself"}, false);
      }) {}

void Bus::join(const fleet::BusJoin& join) {
  const auto wrong = [&](const Error& error) {
    tell_({fleet::BusNews{fleet::BusLink{false, text_of(error), "", ""}}});
  };
  if (!wanted_.places.empty()) return;
  join_ = join;
  if (!fleet::valid_fleet(join.fleet) || !fleet::valid_node(join.node))
    return wrong(
        {"\"" + join.fleet + "\" and \"" + join.node + "\" cannot be names of a fleet and a node",
         "use letters, digits, - and _"});
  auto places = places_of(join.urls);
  if (!places) return wrong(places.error());
  wanted_.places = std::move(*places);
  wanted_.ca = join.ca;
  wanted_.name = "pawl-bus " + join.fleet + "/" + join.node;
  wanted_.first = std::hash<std::string>()(join.node) % wanted_.places.size();
  reach();
}

// Credentials are read again each time: they may be put right meanwhile.
void Bus::reach() {
  for (const Place& place : wanted_.places)
    if (join_.creds.empty() && !place.loopback())
      return lose(
          {"a bus that others can reach (" + place.text() + ") is not used without credentials",
           "make them with `pawl fleet enroll`, and give this node's file with --creds"},
          true);
  wanted_.key.reset();
  if (!join_.creds.empty()) {
    auto key = fleet::read_credentials(join_.creds);
    if (!key) return lose(key.error(), true);
    wanted_.key = *key;
  }
  slow_.start(kReachesWithin);
  line_.open(wanted_);
}

void Bus::opened(const Reached& at) {
  at_ = at;
  if (!questions_.begin(fleet::reply_prefix(join_.fleet, join_.node)) ||
      !line_.listen(fleet::subject_on_bus(join_.fleet, "cmd." + join_.node + ".*"),
                    kCommandsChannel))
    return lose({"the connection to the bus broke", "pawl tries again by itself"}, false);
  joining_.begin(streams_of(join_.fleet, join_.lease), !at.info.cluster.empty(),
                 "the node " + join_.node + " of the fleet " + join_.fleet);
}

void Bus::joined(const Result<std::string>& how) {
  if (!how) return lose(how.error(), false);
  slow_.cancel();
  pause_ = kTriesFirst;
  up_ = true;
  ++link_;
  std::vector<std::string> notes = {*how, note_on(at_.info.version, !at_.info.cluster.empty())};
  if (!at_.place.loopback() && !at_.place.tls && !at_.info.wants_tls && join_.ca.empty())
    notes.emplace_back("what goes over the bus is not encrypted: set up tls on nats-server");
  std::erase(notes, "");
  const bool cluster = !at_.info.cluster.empty();
  news(fleet::BusLink{true, "", at_.info.version, pawl::join(notes, "; "), cluster});
  takes_.begin(join_.fleet, join_.node);
  follows_.begin(join_.fleet);
}

// Told each time; the daemon's end says what is new.
void Bus::lose(const Error& error, bool hopeless) {
  slow_.cancel();
  up_ = false;
  failed_.reset();
  joining_.clear();
  follows_.clear();
  takes_.clear();
  questions_.clear();
  asked_.clear();
  line_.close();
  tell_({fleet::BusNews{fleet::BusLink{false, text_of(error), "", ""}}});
  again_.start(hopeless ? kTriesHopeless : pause_);
  pause_ = std::min(pause_ * 2, kTriesLast);
}

// The last words, a farewell among them, are still in libnats' hands.
void Bus::end() {
  if (takes_.held() > 0) takes_.give_all_back();
  line_.flush();
}

void Bus::news(fleet::BusNews news) {
  tell_({std::move(news), link_});
}

void Bus::reply(const Ask& ask, BusEnd end, std::string because, uint64_t revision,
                std::string value) {
  if (ask.id == 0) return;
  news(fleet::BusReply{ask.id, end, revision, std::move(value), std::move(because)});
}

void Bus::heard(Heard& heard) {
  if (heard.channel == kRepliesChannel) return questions_.heard(heard);
  if (heard.channel == kCommandsChannel) return asked(heard);
  if (!follows_.heard(heard)) takes_.heard(heard);
}

// A server's permission that is missing for what we listen to means that we are somebody else.
void Bus::denied(const std::string& words) {
  if (words.find("Subscription") == std::string::npos) return questions_.denied(words);
  lose({"the bus does not let us be the node " + join_.node + " of the fleet " + join_.fleet,
        "use the credentials that `pawl fleet enroll` made for it"},
       true);
}

// By the subject it was sent to, which the server guards. Another one is what a reader of a stream was made to send here.
void Bus::asked(const Heard& heard) {
  const std::string prefix = fleet::subject_on_bus(join_.fleet, "");
  const std::string ours = prefix + "cmd." + join_.node + ".";
  if (!up_ || heard.reply.empty() || !heard.subject.starts_with(ours) ||
      !fleet::valid_node(std::string_view(heard.subject).substr(ours.size())))
    return;
  const MonoTime now = os::read_clock().mono;
  while (!asked_.empty() && asked_.begin()->second.at + kAnsweredWithin < now)
    asked_.erase(asked_.begin());
  if (asked_.size() >= kMaxAsked || heard.value.size() > fleet::kMaxBusValue) {
    line_.send(heard.reply, "", {{"Pawl-Busy", "1"}}, "");
    return;
  }
  asked_[++asks_] = {heard.reply, now};
  news(fleet::BusAsked{"a" + std::to_string(asks_), heard.subject.substr(prefix.size()),
                       heard.value});
}

}  // namespace pawl::bus
