#include "fleet/bus_wire.h"

#include <array>
#include <optional>

#include "api/frame.h"
#include "base/json.h"
#include "base/text.h"
#include "fleet/bus_names.h"

namespace pawl::fleet {
namespace {

constexpr std::array kOps = {BusOp::create,   BusOp::put,     BusOp::update, BusOp::remove,
                             BusOp::get,      BusOp::publish, BusOp::last,   BusOp::follow,
                             BusOp::unfollow, BusOp::request, BusOp::answer, BusOp::take,
                             BusOp::done,     BusOp::back};
constexpr std::array kEnds = {BusEnd::done,    BusEnd::taken,   BusEnd::stale,
                              BusEnd::missing, BusEnd::refused, BusEnd::unknown};
constexpr std::array kBuckets = {Bucket::nodes,  Bucket::agents,   Bucket::work,
                                 Bucket::leases, Bucket::accounts, Bucket::blobs};

// Members that have their default are left out.
class Writer {
 public:
  explicit Writer(const char* kind) { json_.set("kind", kind); }
  Writer& text(const char* key, const std::string& value) {
    if (!value.empty()) json_.set(key, value);
    return *this;
  }
  Writer& sentence(const char* key, const std::string& value) {
    return text(key, value.substr(0, kMaxBusSentence));
  }
  Writer& word_of(const char* key, std::string_view value) {
    json_.set(key, value);
    return *this;
  }
  Writer& bytes(const char* key, const std::string& value) {
    if (!value.empty()) json_.set(key, base64(value));
    return *this;
  }
  Writer& number(const char* key, uint64_t value) {
    if (value != 0) json_.set(key, value);
    return *this;
  }
  Writer& time(const char* key, Duration value) {
    json_.set(key, static_cast<int64_t>(value.count()));
    return *this;
  }
  Writer& flag(const char* key, bool value) {
    if (value) json_.set(key, true);
    return *this;
  }
  std::string frame() const { return api::encode(json_); }

 private:
  Json json_ = Json::object();
};

// Every member has to be asked for, and to be what it is asked for as.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  std::string text(const char* key) {
    const Json* value = member(key);
    if (!value) return {};
    if (!value->is_string() || value->as_string().size() > kMaxBusText) return bad(key), "";
    return value->as_string();
  }
  std::string bytes(const char* key) {
    const Json* value = member(key);
    if (!value) return {};
    auto read = value->is_string() ? from_base64(value->as_string()) : std::nullopt;
    if (!read || read->size() > kMaxBusValue) return bad(key), "";
    return std::move(*read);
  }
  uint64_t number(const char* key) {
    const Json* value = member(key);
    if (!value) return 0;
    if (!value->is_integer() || value->as_int() < 0) return bad(key), 0;
    return static_cast<uint64_t>(value->as_int());
  }
  Duration time(const char* key) {
    const Json* value = member(key);
    if (!value || !value->is_integer() || value->as_int() < 0 ||
        value->as_int() > kLongestAsk.count())
      return bad(key), Duration{0};
    return Duration{value->as_int()};
  }
  bool flag(const char* key) {
    const Json* value = member(key);
    if (value && !value->is_bool()) return bad(key), false;
    return value && value->as_bool();
  }
  template <class Enums>
  typename Enums::value_type one_of(const char* key, const Enums& all) {
    const std::string name = text(key);
    for (const auto one : all)
      if (word(one) == name) return one;
    bad(key);
    return all[0];
  }
  void bad(const char* key) {
    if (bad_.empty()) bad_ = key;
  }
  template <class Value>
  Result<Value> finish(Value value) const {
    if (bad_.empty() && asked_ != json_.members().size())
      return fail("pawl and pawl-bus do not understand each other: something unknown was said",
                  "install both of one version");
    if (!bad_.empty())
      return fail("pawl and pawl-bus do not understand each other: \"" + bad_ + "\" makes no sense",
                  "install both of one version");
    return value;
  }

 private:
  const Json* member(const char* key) {
    if (!json_.has(key)) return nullptr;
    ++asked_;
    return &json_[key];
  }

  const Json& json_;
  std::string bad_;
  size_t asked_ = 0;
};

std::string frame_of(const BusJoin& join, uint64_t) {
  return Writer("join")
      .number("wire", kBusWire)
      .text("urls", join.urls)
      .text("fleet", join.fleet)
      .text("node", join.node)
      .text("creds", join.creds)
      .text("ca", join.ca)
      .time("lease", join.lease)
      .frame();
}

std::string frame_of(const BusAsk& ask, uint64_t link) {
  return Writer("ask")
      .number("link", link)
      .number("id", ask.id)
      .word_of("op", word(ask.op))
      .word_of("bucket", word(ask.bucket))
      .text("subject", ask.subject)
      .text("key", ask.key)
      .bytes("value", ask.value)
      .number("revision", ask.revision)
      .text("message_id", ask.message_id)
      .time("limit", ask.limit)
      .frame();
}

std::string frame_of(const BusPulse& pulse, uint64_t) {
  return Writer("pulse").number("number", pulse.number).frame();
}

std::string frame_of(const BusReply& reply, uint64_t link) {
  return Writer("reply")
      .number("link", link)
      .number("id", reply.id)
      .word_of("end", word(reply.end))
      .number("revision", reply.revision)
      .bytes("value", reply.value)
      .sentence("because", reply.because)
      .frame();
}

std::string frame_of(const BusEntry& entry, uint64_t link) {
  return Writer("entry")
      .number("link", link)
      .word_of("bucket", word(entry.bucket))
      .text("key", entry.key)
      .bytes("value", entry.value)
      .number("revision", entry.revision)
      .flag("removed", entry.removed)
      .flag("gap", entry.gap)
      .frame();
}

std::string frame_of(const BusCaughtUp& news, uint64_t link) {
  return Writer("caught_up").number("link", link).word_of("bucket", word(news.bucket)).frame();
}

std::string frame_of(const BusLink& news, uint64_t link) {
  return Writer("link")
      .number("link", link)
      .flag("up", news.up)
      .sentence("because", news.because)
      .text("server", news.server)
      .sentence("note", news.note)
      .flag("cluster", news.cluster)
      .frame();
}

std::string frame_of(const BusMessage& news, uint64_t link) {
  return Writer("message")
      .number("link", link)
      .number("follow", news.follow)
      .number("sequence", news.sequence)
      .text("subject", news.subject)
      .bytes("value", news.value)
      .text("token", news.token)
      .frame();
}

std::string frame_of(const BusAsked& news, uint64_t link) {
  return Writer("asked")
      .number("link", link)
      .text("token", news.token)
      .text("subject", news.subject)
      .bytes("value", news.value)
      .frame();
}

std::string frame_of(const BusNews& news, uint64_t link) {
  return std::visit([&](const auto& one) { return frame_of(one, link); }, news);
}

BusJoin read_join(Reader& in) {
  if (in.number("wire") != kBusWire) in.bad("wire");
  BusJoin join;
  join.urls = in.text("urls");
  join.fleet = in.text("fleet");
  join.node = in.text("node");
  join.creds = in.text("creds");
  join.ca = in.text("ca");
  join.lease = in.time("lease");
  return join;
}

BusAsk read_ask(Reader& in) {
  BusAsk ask;
  ask.id = in.number("id");
  ask.op = in.one_of("op", kOps);
  ask.bucket = in.one_of("bucket", kBuckets);
  ask.subject = in.text("subject");
  ask.key = in.text("key");
  ask.value = in.bytes("value");
  ask.revision = in.number("revision");
  ask.message_id = in.text("message_id");
  ask.limit = in.time("limit");
  return ask;
}

// Nothing: it is no news of this kind.
std::optional<BusNews> read_news(const std::string& kind, Reader& in) {
  if (kind == "reply") {
    BusReply reply{in.number("id"), in.one_of("end", kEnds), in.number("revision")};
    reply.value = in.bytes("value");
    reply.because = in.text("because");
    return reply;
  }
  if (kind == "entry") {
    BusEntry entry{in.one_of("bucket", kBuckets), in.text("key"), in.bytes("value"), 0};
    entry.revision = in.number("revision");
    entry.removed = in.flag("removed");
    entry.gap = in.flag("gap");
    return entry;
  }
  if (kind == "caught_up") return BusCaughtUp{in.one_of("bucket", kBuckets)};
  if (kind == "link")
    return BusLink{in.flag("up"), in.text("because"), in.text("server"), in.text("note"),
                   in.flag("cluster")};
  if (kind == "message") {
    BusMessage message{in.number("follow"), in.number("sequence"), in.text("subject"), ""};
    message.value = in.bytes("value");
    message.token = in.text("token");
    return message;
  }
  if (kind == "asked") return BusAsked{in.text("token"), in.text("subject"), in.bytes("value")};
  return std::nullopt;
}

}  // namespace

Done sendable(const BusAsk& ask) {
  if (ask.value.size() > kMaxBusValue)
    return fail("it has " + std::to_string(ask.value.size()) + " bytes, and at most " +
                    std::to_string(kMaxBusValue) + " fit on the bus",
                "send it in parts");
  for (const std::string* text : {&ask.subject, &ask.key, &ask.message_id})
    if (text->size() > kMaxSubject) return fail("a name is too long for the bus", "shorten it");
  if (ask.limit < Duration{0} || ask.limit > kLongestAsk) return fail("the limit makes no sense");
  return {};
}

std::string bus_frame(const ToBus& said) {
  return std::visit([&](const auto& one) { return frame_of(one, said.link); }, said.what);
}

std::string bus_frame(const FromBus& said) {
  return std::visit([&](const auto& one) { return frame_of(one, said.link); }, said.what);
}

Result<ToBus> read_to_bus(std::string_view payload) {
  auto json = Json::parse(payload);
  if (!json) return tl::unexpected(json.error());
  Reader in(*json);
  const std::string kind = in.text("kind");
  ToBus said{BusPulse{}};
  if (kind == "join") {
    said.what = read_join(in);
  } else if (kind == "ask") {
    said.link = in.number("link");
    said.what = read_ask(in);
  } else if (kind == "pulse") {
    said.what = BusPulse{in.number("number")};
  } else {
    in.bad("kind");
  }
  return in.finish(std::move(said));
}

Result<FromBus> read_from_bus(std::string_view payload) {
  auto json = Json::parse(payload);
  if (!json) return tl::unexpected(json.error());
  Reader in(*json);
  const std::string kind = in.text("kind");
  FromBus said{BusPulse{}};
  if (kind == "pulse") {
    said.what = BusPulse{in.number("number")};
  } else {
    said.link = in.number("link");
    if (auto news = read_news(kind, in))
      said.what = std::move(*news);
    else
      in.bad("kind");
  }
  return in.finish(std::move(said));
}

std::string_view word(BusOp op) {
  switch (op) {
    case BusOp::create:
      return "create";
    case BusOp::put:
      return "put";
    case BusOp::update:
      return "update";
    case BusOp::remove:
      return "remove";
    case BusOp::get:
      return "get";
    case BusOp::publish:
      return "publish";
    case BusOp::last:
      return "last";
    case BusOp::follow:
      return "follow";
    case BusOp::unfollow:
      return "unfollow";
    case BusOp::request:
      return "request";
    case BusOp::answer:
      return "answer";
    case BusOp::take:
      return "take";
    case BusOp::done:
      return "done";
    case BusOp::back:
      return "back";
  }
  return "get";
}

std::string_view word(BusEnd end) {
  switch (end) {
    case BusEnd::done:
      return "done";
    case BusEnd::taken:
      return "taken";
    case BusEnd::stale:
      return "stale";
    case BusEnd::missing:
      return "missing";
    case BusEnd::refused:
      return "refused";
    case BusEnd::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace pawl::fleet
