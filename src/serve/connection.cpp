#include "serve/connection.h"

#include "os/clock.h"

namespace pawl::serve {
namespace {

constexpr size_t kReadAtOnce = 16u << 10;
constexpr int kReads = 4;
constexpr int kPieces = 8;  // of output, in one turn
constexpr int kTlsHandshake = 0x16;

}  // namespace

// Calls the session it has, or gives a default.
template <class Call>
auto Connection::speak(Call&& call) const {
  using Gives = std::decay_t<decltype(call(std::declval<Http1&>()))>;
  if (auto* one = std::get_if<std::unique_ptr<Http1>>(&session_)) return call(**one);
  if (auto* two = std::get_if<std::unique_ptr<Http2>>(&session_)) return call(**two);
  return Gives();
}

Connection::Connection(os::Loop& loop, os::NetStream stream, std::string address, Site& site,
                       const os::TlsServer* tls, const Clock& now, const Turns& turns)
    : site_(site),
      tls_(tls),
      address_(std::move(address)),
      stream_(std::move(stream)),
      turns_(turns),
      deadline_(now.mono + kHandshake),
      moved_(now.mono),
      watch_(loop, stream_.fd(), [this](os::FdWatch::Ready ready) {
        const Duration before = os::thread_time();
        if (!known_) rest(os::read_clock());  // others may have used up what there was
        if (!rests_until_ && (ready.readable || stream_.wants_to_write())) readable();
        if (ready.writable) write();
        if (known_) {
          take_back(os::read_clock());
          return turns_.soon();
        }
        const Clock at = os::read_clock();
        const bool speaks = has_more(at) || live();
        pay(at, os::thread_time() - before + (speaks ? kTurnCosts : Duration{0}));
        (speaks ? turns_.soon : turns_.later)();
      }) {
  rest(now);
}

void Connection::pay(const Clock& now, Duration spent) {
  account_.charge(kOfConnection, now.mono, spent);
  site_.patience().charge(address_, now.mono, spent);
  paid_ += spent;
  rest(now);
}

// It was no stranger: what it cost until that showed is nobody's.
void Connection::take_back(const Clock& now) {
  if (paid_ > Duration{}) site_.patience().give_back(address_, now.mono, paid_);
  paid_ = {};
}

void Connection::rest(const Clock& now) {
  if (rests_until_ ? !known_ && now.mono < *rests_until_ : known_) return;
  const bool rested = rests_until_.has_value();
  rests_until_.reset();
  if (!known_) {
    const auto own = account_.until(kOfConnection, now.mono);
    const auto others = site_.patience().until(address_, now.mono);
    rests_until_ = !own ? others : !others ? own : std::max(*own, *others);
    // Many of them together: each time somebody is read again is a turn.
    if (rests_until_) rests_until_ = std::max(*rests_until_, now.mono + kRests);
  }
  if (rested != rests_until_.has_value()) watch();
}

// What it speaks shows in its first byte, and in what TLS agreed on.
bool Connection::begin_speaking() {
  if (!std::holds_alternative<std::monostate>(session_)) return true;
  if (!stream_.secured()) {
    const int first = stream_.peek();
    gone_ = first == -2;
    if (first < 0) return false;
    if (tls_ && first == kTlsHandshake) {
      stream_.secure(*tls_);
      return true;
    }
    session_ = std::make_unique<Http1>(site_, Peer{address_, false, stream_.fd(), &known_},
                                       tls_ != nullptr);
  }
  return true;
}

void Connection::readable() {
  if (gone_ || !begin_speaking()) return;
  const Clock now = os::read_clock();
  std::string bytes;
  auto got = os::NetStream::Got::bytes;
  for (int n = 0; got == os::NetStream::Got::bytes && (n < kReads || stream_.pending()); ++n)
    got = stream_.read(bytes, kReadAtOnce);
  if (got == os::NetStream::Got::end) gone_ = true;
  if (!bytes.empty() && std::holds_alternative<std::monostate>(session_)) {
    const Peer peer{address_, true, stream_.fd(), &known_};
    if (stream_.speaks_http2())
      session_ = std::make_unique<Http2>(site_, peer);
    else
      session_ = std::make_unique<Http1>(site_, peer, false);
  }
  speak([&](auto& session) {
    session.receive(now, bytes);
    return 0;
  });
  set_deadline(now);
  watch();
}

void Connection::set_deadline(const Clock& now) {
  if (std::holds_alternative<std::monostate>(session_)) return;
  const bool waiting = speak([](auto& session) { return session.waiting(); });
  const bool idle = speak([](auto& session) { return session.idle(); });
  if (waiting && deadline_ > now.mono + kWholeRequest) deadline_ = now.mono + kWholeRequest;
  if (idle) deadline_ = now.mono + kKeepAlive;
  if (live()) deadline_ = MonoTime::max();
}

void Connection::follow(const Clock& now, const std::vector<core::Answer>& answers) {
  speak([&](auto& session) {
    session.follow(now, answers);
    return 0;
  });
}

// A client that takes everything at once is given more, a few times in one turn; nobody else would wake it.
void Connection::go_on(const Clock& now) {
  const Duration before = known_ ? Duration{} : os::thread_time();
  for (int n = 0; !gone_; ++n) {
    if (n == kPieces) {
      turns_.soon();
      break;
    }
    const bool made = make(now);
    write();
    set_deadline(now);
    if (!made || live() || !has_more(now)) break;
  }
  if (known_)
    take_back(now);
  else
    pay(now, os::thread_time() - before);
}

// What it says next; false: nothing, or the last is not out yet.
bool Connection::make(const Clock& now) {
  if (sent_ < out_.size()) return false;
  out_.clear();
  sent_ = 0;
  speak([&](auto& session) {
    session.send(now, out_, kMaxOut);
    return 0;
  });
  if (out_.empty()) return false;
  moved_ = now.mono;
  return true;
}

void Connection::write() {
  bool end = false;
  while (!gone_ && sent_ < out_.size()) {
    const size_t n = stream_.write(std::string_view(out_).substr(sent_), end);
    gone_ = end;
    if (n == 0) break;
    sent_ += n;
    moved_ = os::read_clock().mono;
  }
  if (sent_ >= out_.size()) {
    out_ = {};  // a quiet client keeps no buffer
    sent_ = 0;
    if (speak([](auto& session) { return session.over(); })) gone_ = true;
  }
  watch();
}

void Connection::watch() {
  // Who rests still gets what it was promised; a handshake waits.
  const bool writes = sent_ < out_.size() || (!rests_until_ && stream_.wants_to_write());
  watch_.want({.read = !gone_ && !rests_until_, .write = !gone_ && writes});
}

bool Connection::has_more(const Clock& now) const {
  return !gone_ && sent_ >= out_.size() &&
         speak([&](auto& session) { return session.has_more(now); });
}

std::optional<MonoTime> Connection::wake_at() const {
  if (gone_) return std::nullopt;
  if (rests_until_) return rests_until_;
  if (sent_ < out_.size()) return moved_ + kStalled;
  return speak([](auto& session) { return session.wake_at(); });
}

bool Connection::check_time(const Clock& now) {
  const bool stalled = sent_ < out_.size() && now.mono - moved_ >= kStalled;
  if (stalled || (sent_ >= out_.size() && now.mono >= deadline_)) gone_ = true;
  return stalled;
}

bool Connection::wants_views() const {
  return speak([](auto& session) { return session.wants_views(); });
}

bool Connection::live() const {
  return speak([](auto& session) { return session.live(); });
}

Terminal* Connection::terminal() const {
  const auto* one = std::get_if<std::unique_ptr<Http1>>(&session_);
  return one ? (*one)->terminal() : nullptr;
}

}  // namespace pawl::serve
