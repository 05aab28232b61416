#pragma once
// What the daemon and a holder say to each other. Plain structs, shared by both programs;
// doc/holder.md shows the bytes.
//
// FROZEN: a holder outlives upgrades of the daemon. Never change the meaning of a number or a field
// here; add a new frame type (flagged optional when the other side may ignore it) and raise
// kVersion.
//
// Every frame: a Header, then `length` bytes. Both sides send Hello first; the holder answers the
// daemon's. Everything is little-endian, as are both processors we run on, so the structs are the
// bytes.

#include <stdint.h>

namespace pawl::wire {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

constexpr uint32_t kMagic = 0x4c574150;  // "PAWL"
constexpr uint16_t kVersion = 4;         // 2: Place, 3: Until, 4: Mark
constexpr uint16_t kMinVersion = 1;

constexpr uint32_t kMaxPayload = 1u << 20;  // a longer frame closes the connection
constexpr uint32_t kMaxOutput = 64u << 10;  // bytes of a terminal in one Output frame
constexpr uint32_t kMaxInput = 1u << 20;    // input waiting for one child; more is refused
constexpr uint32_t kMaxPlace = 511;         // bytes of the path in a Place frame
constexpr uint16_t kUntilVersion =
    3;  // who is older does not know Until: nothing that needs it is run there
constexpr uint16_t kMarkVersion = 4;  // who is older answers no Mark
constexpr uint16_t kOptional = 1;     // Header::flags: ignore me if you do not know my type

enum Type : uint16_t {
  // both ways
  kHello = 1,
  // daemon -> holder
  kOpen = 2,    // Open + strings; answered by Opened or OpenFailed
  kAttach = 3,  // Position: send Output from here on
  kWrite = 4,   // bytes for the child, all or nothing
  kResize = 5,  // Resize
  kSignal = 6,  // Signal
  kAck = 7,     // Position: bytes before it may be forgotten
  kClose = 8,   // forget the session; hangs up when its child lives
  kBye = 9,     // leave now if you have no session
  kPlace = 10,  // optional, before Open of the same session: the path of a cgroup.procs that its
                // program writes itself into before it runs; what cannot be written is left so
  kUntil = 11,  // optional, Until: before Open of the same session, and again whenever it is moved
  kMark = 12,   // optional, Mark: between two Writes; a later one takes its place
  // holder -> daemon
  kOpened = 33,      // Opened
  kOpenFailed = 34,  // OpenFailed; repeated to every new daemon until Close
  kFound = 35,       // Found, one per session after Hello
  kOutput = 36,      // Position + bytes
  kEnded = 37,       // Ended, after the last byte
  kRefused = 38,     // Refused: input that was dropped
  kPassed = 39,      // Mark, the answer to one: the terminal took all that was written before it
};

struct Header {
  uint32_t length;  // of what follows this header
  uint16_t type;
  uint16_t flags;
  uint64_t session;  // 0 for hello and bye
};

struct Hello {
  uint32_t magic;
  uint16_t version;
  uint16_t min_version;  // the oldest the sender can talk
  uint32_t pid;
  uint32_t sessions;  // how many Found follow; 0 from the daemon
};

// Followed by NUL-terminated strings: the directory, argc arguments, envc "NAME=value".
struct Open {
  uint16_t cols;
  uint16_t rows;
  uint32_t argc;
  uint32_t envc;
  uint32_t reserved;
};

struct Position {
  uint64_t offset;
};

struct Resize {
  uint16_t cols;
  uint16_t rows;
};

struct Signal {
  uint32_t number;
};

struct Opened {
  uint32_t pid;
  uint32_t reserved;
  uint64_t start_ticks;  // field 22 of /proc/PID/stat
};

enum Step : uint32_t {
  kStepTerminal = 1,  // no pseudo-terminal to be had
  kStepFork = 2,
  kStepTty = 3,  // the terminal could not become the controlling one
  kStepDir = 4,
  kStepExec = 5,
  kStepLimit = 6,    // the holder is full
  kStepRequest = 7,  // the Open frame made no sense
  kStepLate = 8,     // what Until said had passed
};

struct OpenFailed {
  uint32_t error;  // errno
  uint32_t step;
};

struct Found {
  uint32_t pid;
  uint32_t ended;  // 1: the child is gone, Ended follows the last byte
  uint64_t start_ticks;
  uint64_t first;
  uint64_t end;
  uint16_t cols;
  uint16_t rows;
  uint32_t reserved;
};

// After Opened and Found, from holders that have keepers: the process that everything the session's
// program leaves behind is given to (holder/keeper.h). pid 0: it is gone.
struct Keeper {
  uint32_t pid;
  uint32_t reserved;
  uint64_t start_ticks;
};

// A session that has one is ended then, with everything it started, unless somebody moved it before. Also after Found and its
// Keeper, from holders that know it.
struct Until {
  uint64_t at;  // nanoseconds of CLOCK_BOOTTIME; 0: none
};

struct Ended {
  int32_t status;  // as from waitpid()
  uint32_t reserved;
  uint64_t end;
};

enum Why : uint32_t {
  kWhyItself = 0,  // nothing the holder did by itself
  kWhyUntil = 1,   // it was ended because its Until had passed
};

// After Ended, from holders that know Until.
struct Cause {
  uint32_t why;
  uint32_t reserved;
};

struct Mark {
  uint64_t number;  // not 0
};

struct Refused {
  uint64_t bytes;
};

static_assert(sizeof(Header) == 16 && sizeof(Hello) == 16 && sizeof(Open) == 16);
static_assert(sizeof(Opened) == 16 && sizeof(OpenFailed) == 8 && sizeof(Found) == 40);
static_assert(sizeof(Keeper) == 16 && sizeof(Until) == 8 && sizeof(Cause) == 8);
static_assert(sizeof(Ended) == 16 && sizeof(Refused) == 8 && sizeof(Mark) == 8 &&
              sizeof(Position) == 8);

}  // namespace pawl::wire
