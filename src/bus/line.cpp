#include "bus/line.h"

#include <nats/nats.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "os/file.h"

namespace pawl::bus {
namespace {

constexpr const char* kSystemCa = "/etc/ssl/certs/ca-certificates.crt";
constexpr unsigned kChannelBits = 40;
constexpr uint64_t kChannels = uint64_t{1} << kChannelBits;
constexpr int64_t kFlushMs = 200;

struct Letter {
  enum class Kind { heard, opened, failed, lost, denied };
  Kind kind = Kind::heard;
  uint64_t life = 0;
  Heard heard = {};
  Reached reached = {};
  Error error = {};
  bool hopeless = false;
  natsConnection* connection = nullptr;
};

// Of the process, and never taken down: libnats' threads may come late.
struct Box {
  std::mutex guard;
  std::deque<Letter> letters;
  size_t bytes = 0;
  bool overflowing = false;
  int bell = -1;

  static Box& one() {
    static Box* box = new Box;
    return *box;
  }
  void put(Letter letter) {
    const std::lock_guard lock(guard);
    if (letter.kind == Letter::Kind::heard) {
      const size_t size = letter.heard.value.size() + letter.heard.subject.size() + sizeof letter;
      if (overflowing) return;
      overflowing = bytes + size > kMaxBoxBytes || letters.size() >= kMaxBoxMessages;
      if (overflowing) {
        letter = {Letter::Kind::lost, letter.life};
        letter.error.what = "more came from the bus at once than can be held";
      } else {
        bytes += size;
      }
    }
    letters.push_back(std::move(letter));
    const uint64_t ring = 1;
    if (bell >= 0) (void)!::write(bell, &ring, sizeof ring);
  }
  // Some, and whether there are more.
  std::pair<std::deque<Letter>, bool> take() {
    const std::lock_guard lock(guard);
    std::deque<Letter> some;
    size_t taken = 0;
    while (!letters.empty() && some.size() < kTakenAtOnce && taken < kBytesAtOnce) {
      Letter& first = letters.front();
      if (first.kind == Letter::Kind::heard) {
        const size_t size = first.heard.value.size() + first.heard.subject.size() + sizeof first;
        taken += size;
        bytes -= size;
      }
      some.push_back(std::move(first));
      letters.pop_front();
    }
    if (letters.empty()) overflowing = false;
    return {std::move(some), !letters.empty()};
  }
};

void* mark(uint64_t life, uint64_t channel) {
  return reinterpret_cast<void*>(life << kChannelBits | channel);
}
uint64_t life_in(void* closure) {
  return reinterpret_cast<uint64_t>(closure) >> kChannelBits;
}
uint64_t channel_in(void* closure) {
  return reinterpret_cast<uint64_t>(closure) % kChannels;
}

std::string header(natsMsg* message, const char* name) {
  const char* value = nullptr;
  if (natsMsgHeader_Get(message, name, &value) != NATS_OK || !value) return "";
  return value;
}

void on_message(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
  Letter letter{Letter::Kind::heard, life_in(closure)};
  Heard& heard = letter.heard;
  heard.channel = channel_in(closure);
  if (const char* subject = natsMsg_GetSubject(message)) heard.subject = subject;
  if (const char* reply = natsMsg_GetReply(message)) heard.reply = reply;
  if (natsMsg_GetDataLength(message) > 0)
    heard.value.assign(natsMsg_GetData(message),
                       static_cast<size_t>(natsMsg_GetDataLength(message)));
  if (heard.value.empty()) heard.status = std::atoi(header(message, "Status").c_str());
  if (heard.status != 0) heard.words = header(message, "Description");
  const std::string operation = header(message, "KV-Operation");
  heard.removed = operation == "DEL" || operation == "PURGE";
  heard.busy = !header(message, "Pawl-Busy").empty();
  natsMsg_Destroy(message);
  Box::one().put(std::move(letter));
}

void on_closed(natsConnection* connection, void* closure) {
  Letter letter{Letter::Kind::lost, life_in(closure)};
  const char* words = nullptr;
  natsConnection_GetLastError(connection, &words);
  letter.error.what = "the connection to the bus was lost";
  if (words && *words) letter.error.what += std::string(" (") + words + ")";
  Box::one().put(std::move(letter));
}

void on_error(natsConnection* connection, natsSubscription*, natsStatus status, void* closure) {
  if (status != NATS_NOT_PERMITTED && status != NATS_SLOW_CONSUMER) return;
  Letter letter{status == NATS_NOT_PERMITTED ? Letter::Kind::denied : Letter::Kind::lost,
                life_in(closure)};
  const char* words = nullptr;
  natsConnection_GetLastError(connection, &words);
  letter.error.what = words ? words : "";
  if (status == NATS_SLOW_CONSUMER) letter.error.what = "more came from the bus than could be read";
  Box::one().put(std::move(letter));
}

natsStatus on_nonce(char** trouble, unsigned char** signature, int* length, const char* nonce,
                    void* closure) {
  const std::string signed_nonce = static_cast<const fleet::NKey*>(closure)->sign(nonce);
  *trouble = nullptr;
  *signature = static_cast<unsigned char*>(std::malloc(signed_nonce.size()));
  if (!*signature) return NATS_NO_MEMORY;
  std::memcpy(*signature, signed_nonce.data(), signed_nonce.size());
  *length = static_cast<int>(signed_nonce.size());
  return NATS_OK;
}

struct FreeOptions {
  void operator()(natsOptions* options) const { natsOptions_Destroy(options); }
};
using Options = std::unique_ptr<natsOptions, FreeOptions>;

// Everything that can be set wrongly here is a bug of ours, but the files.
Options options_for(const Wanted& wanted, const Reached& at, uint64_t life) {
  natsOptions* raw = nullptr;
  if (natsOptions_Create(&raw) != NATS_OK) return nullptr;
  Options options(raw);
  const std::string url = "nats://" + at.place.text();
  natsOptions_SetURL(raw, url.c_str());
  natsOptions_SetName(raw, wanted.name.c_str());
  natsOptions_SetAllowReconnect(raw, false);
  natsOptions_SetIgnoreDiscoveredServers(raw, true);
  natsOptions_SetTimeout(raw, kConnectsMs);
  natsOptions_SetWriteDeadline(raw, kWritesMs);
  natsOptions_SetPingInterval(raw, kPingsMs);
  natsOptions_SetMaxPingsOut(raw, kPingsUnanswered);
  natsOptions_UseGlobalMessageDelivery(raw, true);
  natsOptions_SetClosedCB(raw, on_closed, mark(life, 0));
  natsOptions_SetErrorHandler(raw, on_error, mark(life, 0));
  if (wanted.key)
    natsOptions_SetNKey(raw, wanted.key->key.c_str(), on_nonce,
                        const_cast<fleet::NKey*>(&*wanted.key));
  if (at.place.tls || at.info.wants_tls || !wanted.ca.empty()) {
    natsOptions_SetSecure(raw, true);
    const std::string ca = wanted.ca.empty() ? kSystemCa : wanted.ca;
    if (!wanted.ca.empty() || os::exists(ca)) {
      const natsStatus loaded = natsOptions_LoadCATrustedCertificates(raw, ca.c_str());
      if (loaded != NATS_OK) return nullptr;
    }
    natsOptions_SetExpectedHostname(raw, at.place.host.c_str());
  }
  return options;
}

// Why no connection came about; the second: it will not before somebody mends it.
std::pair<Error, bool> trouble_of(natsStatus status, const Wanted& wanted, const Reached& at) {
  const char* last = nats_GetLastError(nullptr);
  const std::string words = last ? last : natsStatus_GetText(status), where = at.place.text();
  if (status == NATS_CONNECTION_AUTH_FAILED && wanted.key)
    return {
        {"the bus at " + where + " does not let in our key " + wanted.key->key,
         "enroll this node with `pawl fleet enroll`, and let nats-server read its configuration "
         "again; or it was revoked"},
        true};
  if (status == NATS_CONNECTION_AUTH_FAILED)
    return {{"the bus at " + where + " wants credentials",
             "give the node's file of `pawl fleet enroll` with --creds"},
            true};
  if (status == NATS_SECURE_CONNECTION_WANTED)
    return {{"the bus at " + where + " does not speak TLS",
             "set up tls in nats-server's configuration, or leave --ca and tls:// away"},
            true};
  if (status == NATS_SSL_ERROR)
    return {{"the certificate of the bus at " + where + " is not trusted (" + words + ")",
             wanted.ca.empty() ? "give the file of its CA with --ca"
                               : "see that " + wanted.ca + " is its CA, and its name the URL's"},
            true};
  return {{"no connection to the bus at " + where + " came about (" + words + ")",
           "pawl tries again by itself"},
          false};
}

// In a thread of its own. The first server that lets us in.
Letter reach_one(const Wanted& wanted, uint64_t life) {
  Letter letter{Letter::Kind::failed, life};
  std::string all;
  for (size_t i = 0; i < wanted.places.size(); ++i) {
    Reached at{wanted.places[(wanted.first + i) % wanted.places.size()], {}};
    auto info = ask_server(at.place);
    if (info) {
      at.info = *info;
      const Options options = options_for(wanted, at, life);
      natsStatus status = options ? NATS_OK : NATS_SSL_ERROR;
      if (options) status = natsConnection_Connect(&letter.connection, options.get());
      if (status == NATS_OK) {
        letter.kind = Letter::Kind::opened;
        letter.reached = at;
        return letter;
      }
      std::tie(letter.error, letter.hopeless) = trouble_of(status, wanted, at);
      if (!options) letter.error = {wanted.ca + " is no file of CA certificates", "correct --ca"};
    } else {
      letter.error = info.error();
    }
    all += (all.empty() ? "" : "; ") + letter.error.what;
  }
  letter.error.what = all;
  return letter;
}

void let_go(natsConnection* connection) {
  if (connection) std::thread([connection] { natsConnection_Destroy(connection); }).detach();
}

}  // namespace

Line::Line(os::Loop& loop, Events events)
    : events_(std::move(events)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  Box::one().bell = bell_.get();
  watch_ = os::FdWatch(loop, bell_.get(), [this](os::FdWatch::Ready) { empty_box(); });
}

Line::~Line() {
  close();
  const std::lock_guard lock(Box::one().guard);
  Box::one().bell = -1;
}

void Line::open(const Wanted& wanted) {
  close();
  std::thread([wanted, life = life_] { Box::one().put(reach_one(wanted, life)); }).detach();
}

void Line::close() {
  ++life_;
  for (auto& [channel, subscription] : listening_) natsSubscription_Destroy(subscription);
  listening_.clear();
  let_go(std::exchange(connection_, nullptr));
}

bool Line::listen(const std::string& subject, uint64_t channel) {
  natsSubscription* subscription = nullptr;
  if (!connection_ || natsConnection_Subscribe(&subscription, connection_, subject.c_str(),
                                               on_message, mark(life_, channel)) != NATS_OK)
    return false;
  listening_.emplace_back(channel, subscription);
  return true;
}

void Line::unlisten(uint64_t channel) {
  std::erase_if(listening_, [&](const auto& one) {
    if (one.first != channel) return false;
    natsSubscription_Destroy(one.second);
    return true;
  });
}

Sent Line::send(const std::string& subject, const std::string& reply, const Headers& headers,
                std::string_view value) {
  natsMsg* message = nullptr;
  if (!connection_ ||
      natsMsg_Create(&message, subject.c_str(), reply.empty() ? nullptr : reply.c_str(),
                     value.data(), static_cast<int>(value.size())) != NATS_OK)
    return Sent::broken;
  for (const auto& [key, words] : headers) natsMsgHeader_Set(message, key, words.c_str());
  const natsStatus status = natsConnection_PublishMsg(connection_, message);
  natsMsg_Destroy(message);
  if (status == NATS_MAX_PAYLOAD) return Sent::too_large;
  return status == NATS_OK ? Sent::sent : Sent::broken;
}

void Line::flush() {
  if (connection_) natsConnection_FlushTimeout(connection_, kFlushMs);
}

void Line::rest(bool rests) {
  if (rests == rests_) return;
  rests_ = rests;
  watch_.want({.read = !rests, .write = false});
}

void Line::empty_box() {
  uint64_t rung = 0;
  (void)!::read(bell_.get(), &rung, sizeof rung);
  auto [letters, more] = Box::one().take();
  if (more) {
    rung = 1;
    (void)!::write(bell_.get(), &rung, sizeof rung);
  }
  for (Letter& letter : letters) {
    if (letter.life != life_) {
      let_go(letter.connection);
      continue;
    }
    switch (letter.kind) {
      case Letter::Kind::heard:
        events_.heard(letter.heard);
        break;
      case Letter::Kind::opened:
        connection_ = letter.connection;
        events_.opened(letter.reached);
        break;
      case Letter::Kind::failed:
        events_.failed(letter.error, letter.hopeless);
        break;
      case Letter::Kind::lost:
        events_.lost(letter.error.what);
        break;
      case Letter::Kind::denied:
        events_.denied(letter.error.what);
        break;
    }
  }
}

}  // namespace pawl::bus
