#include "fleet/door.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "os/clock.h"

namespace pawl::fleet {

struct Door::Guest {
  Guest(os::Fd socket, std::string name) : fd(std::move(socket)), from(std::move(name)) {}

  os::Fd fd;
  std::string from;
  std::string first;  // what it said until the link is made
  std::string out;
  bool told = false;     // it got bytes of the far side: an error of ours would be among them
  bool leaving = false;  // when its last bytes are out
  bool gone = false;
  std::unique_ptr<Link> link;
  os::FdWatch watch;  // last: withdrawn before the descriptor closes
};

Door::Door(os::Loop& loop, Parting& parting, Machine machine, std::string dir,
           const Lookout& lookout, Who who, os::Fd listener)
    : loop_(loop),
      parting_(parting),
      machine_(std::move(machine)),
      dir_(std::move(dir)),
      lookout_(lookout),
      who_(std::move(who)),
      listener_(std::move(listener)),
      sweep_(loop, [this] { drop_gone(); }),
      watch_(loop, listener_.get(), [this](os::FdWatch::Ready) { accept_all(); }) {}

Door::~Door() = default;

void Door::accept_all() {
  while (os::Fd socket = os::accept_local(listener_.get())) {
    const auto peer = os::peer_of(socket.get());
    if (!peer || (peer->uid != ::geteuid() && peer->uid != 0) || guests_.size() >= kMaxGuests)
      continue;
    guests_.push_back(std::make_unique<Guest>(std::move(socket), who_(*peer)));
    Guest& guest = *guests_.back();
    guest.watch = os::FdWatch(loop_, guest.fd.get(), [this, &guest](os::FdWatch::Ready ready) {
      if (ready.writable) write(guest);
      if (ready.readable) read(guest);
    });
  }
}

void Door::read(Guest& guest) {
  char buffer[65536];
  const ssize_t n = ::recv(guest.fd.get(), buffer, sizeof buffer, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    guest.gone = true;
    guest.watch.want({});
    return sweep_.ask();
  }
  const std::string_view bytes(buffer, static_cast<size_t>(n));
  if (guest.link) {
    guest.link->send(bytes);
    return write(guest);
  }
  guest.first += bytes;
  if (!answer_pulse(guest)) pass_on(guest);
}

// Whoever waits asks every two seconds whether the daemon lives. That is known here.
bool Door::answer_pulse(Guest& guest) {
  if (!lookout_.outlook().awake(os::read_clock().mono)) return false;
  api::FrameReader reader(api::kMaxRequest);
  reader.feed(guest.first);
  const auto frame = reader.next();
  if (!frame || !*frame) return false;
  const auto request = Json::parse((*frame)->payload);
  if (!request || (*request)["verb"].as_string() != "status") return false;
  guest.out += api::encode(
      api::Kind::json,
      api::reply_of(Json::object({{"version", 1}, {"pawl", lookout_.outlook().version()}})));
  guest.leaving = true;
  write(guest);
  return true;
}

void Door::pass_on(Guest& guest) {
  guest.link = std::make_unique<Link>(loop_, parting_, machine_,
                                      SshCall{Which::other, lookout_.master(), guest.from}, dir_,
                                      [this, &guest] { news(guest); });
  guest.link->send(guest.first);
  guest.first.clear();
}

void Door::news(Guest& guest) {
  if (guest.gone || guest.leaving) return;
  const std::string bytes = guest.link->take();
  guest.told = guest.told || !bytes.empty();
  guest.out += bytes;
  if (guest.link->end()) {
    if (!guest.told) return refuse(guest, *guest.link->end());
    guest.leaving = true;
  }
  write(guest);
}

void Door::refuse(Guest& guest, const Error& error) {
  const Error named{"machine " + machine_.name + " cannot be reached: " + error.what, error.fix,
                    error.exit_code};
  guest.out += api::encode(api::Kind::json, api::reply_of(tl::unexpected(named)));
  guest.leaving = true;
  write(guest);
}

void Door::write(Guest& guest) {
  if (!guest.gone && !os::send_some(guest.fd.get(), guest.out)) guest.gone = true;
  if (guest.leaving && guest.out.empty()) guest.gone = true;
  if (guest.gone) {
    guest.watch.want({});
    return sweep_.ask();
  }
  if (guest.link) guest.link->rest(guest.out.size() >= kMaxOwed);
  const bool room = !guest.link || guest.link->sending() < kMaxSending;
  guest.watch.want({.read = !guest.leaving && room, .write = !guest.out.empty()});
}

// Not in a callback of one of them.
void Door::drop_gone() {
  guests_.remove_if([](const auto& guest) { return guest->gone; });
}

}  // namespace pawl::fleet
