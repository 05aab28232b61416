#include "api/arrivals.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/agent_request.h"
#include "api/view.h"
#include "base/text.h"
#include "os/child.h"
#include "os/digest.h"
#include "os/file.h"
#include "os/home.h"
#include "perceive/profile/catalog.h"
#include "perceive/profile/launch.h"
#include "store/agent_files.h"
#include "store/conversation.h"
#include "store/environment.h"

namespace pawl::api {
namespace {

constexpr const char* kOrder = "/order.json";
constexpr const char* kPut = "/put";  // something of it lies where its program looks
constexpr uint64_t kSpare = 64u << 20;
constexpr Duration kPlaceWithin = std::chrono::minutes{5};
constexpr size_t kMaxFiles = 1000;

bool valid_move(const std::string& move) {
  return valid_name(move) && move.size() >= 16;
}

// "" is the conversation itself; others lie in the folder beside it.
bool valid_file(const std::string& name) {
  const std::string beside = "subagents/";
  return name.empty() || (name.starts_with(beside) && valid_name(name.substr(beside.size())));
}

std::vector<std::string> environment_here(const Call& call, const model::AgentSpec& spec) {
  const auto own = call.engine.files().env_file(spec);
  return store::merge_environment(environment_of(call), own ? *own : std::vector<std::string>{});
}

std::string variable_of(const std::vector<std::string>& environment, const std::string& name) {
  for (const auto& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return {};
}

// Who is in the way; the same as in core/plan/moves.cpp, said before anything is sent.
Done free_for(const model::Fleet& fleet, const std::string& name, const std::string& session_id) {
  for (const auto& [known, agent] : fleet.agents) {
    const bool left = agent.move && agent.move->step == model::MoveStep::gone;
    if (known == name && !(left && agent.session_id == session_id))
      return fail("an agent named '" + name + "' is there already",
                  "give it another name there: pawl move AGENT MACHINE/NAME");
    if (agent.session_id == session_id && !left)
      return fail("'" + known + "' has that conversation already", "pawl why " + known);
  }
  return {};
}

Done program_there(const model::AgentSpec& spec, const std::vector<std::string>& environment) {
  const std::string& program = spec.command.at(0);
  const bool there = program.find('/') != std::string::npos
                         ? os::exists(os::absolute(program, spec.dir))
                         : !os::find_program(program, variable_of(environment, "PATH")).empty();
  return there ? Done()
               : fail("'" + program + "' is not installed there", "install it there first");
}

Done its_files(const model::AgentSpec& spec) {
  for (const auto& file : {spec.env_file, spec.prompt_file})
    if (!file.empty() && !os::exists(file))
      return fail("it needs the file " + file + ", which is not there", "put it there first");
  return {};
}

std::string stem_of(const std::string& transcript) {
  const std::string ending = ".jsonl";
  return transcript.ends_with(ending) ? transcript.substr(0, transcript.size() - ending.size())
                                      : transcript + ".d";
}

}  // namespace

// Off the loop: nothing is put in place before everything was verified, and nothing that is there already is lost.
struct Arrivals::Placing : Errand {
  struct File {
    std::string staged, target, digest;
  };
  std::string move, mark;
  std::vector<File> files;
  Done done = {};

  static bool same(const std::string& path, const std::string& digest) {
    const auto its = os::sha256_of_file(path);
    return its && *its == digest;
  }
  Done verify() const {
    for (const auto& file : files)
      if (!same(file.staged, file.digest) && !same(file.target, file.digest))
        return fail("what arrived is not what was sent (its digest differs)", "try it again");
    return {};
  }
  Done place(const File& file) {
    if (same(file.target, file.digest)) return {};
    const std::string dir = file.target.substr(0, file.target.rfind('/'));
    if (auto made = os::make_private_dir(dir); !made) return made;
    if (os::exists(file.target) && !os::move_file(file.target, file.target + ".before-" + move))
      return fail("an older copy of its conversation is in the way: " + file.target);
    return os::move_anywhere(file.staged, file.target);
  }
  // What take_back() has to know: what was here before.
  Done note_before() const {
    const File& first = files.front();
    if (same(first.target, first.digest)) return {};
    const Json before = Json::object({{"size", os::file_size(first.staged)},
                                      {"before", os::exists(first.target)},
                                      {"folder", os::is_dir(stem_of(first.target))}});
    return os::write_atomically(mark, before.dump());
  }
  void run() override {
    done = verify();
    if (done) done = note_before();
    for (const auto& file : files)
      if (done) done = place(file);
  }
};

std::string Arrivals::dir_of(const std::string& move) const {
  return engine_.home() + "/arrivals/" + move;
}

const model::Agent* Arrivals::arrived(const std::string& move) const {
  for (const auto& [name, agent] : engine_.fleet().agents)
    if (agent.move && agent.move->move == move && agent.move->step == model::MoveStep::came)
      return &agent;
  return nullptr;
}

Result<Json> Arrivals::asked(const Call& call) {
  const std::string what = call.args["what"].as_string(), move = call.args["move"].as_string();
  if (!valid_move(move)) return fail("that is no move", "use pawl move", 2);
  if (what == "begin") return begin(call, dir_of(move));
  if (what == "part") return part(call.args, dir_of(move));
  if (what == "start") return start(call, move);
  if (what == "status") return status(call, move);
  if (what == "drop") return drop(call, move);
  if (what != "done") return fail("'" + what + "' is nothing a move asks for", "", 2);
  doing_.erase(move);
  (void)os::remove_tree(dir_of(move));
  return Json::object({{"gone", true}});
}

// Of those that nobody came back for.
void Arrivals::remove_old(const Clock& now) {
  const std::string all = engine_.home() + "/arrivals";
  for (const auto& move : os::list_dir(all)) {
    const auto order = os::plain_file(dir_of(move) + kOrder);
    const auto doing = doing_.find(move);
    const bool busy = doing != doing_.end() && doing->second.placing;
    if (!busy && (!order || now.wall - order->modified > kArrivalKept)) {
      (void)os::remove_tree(dir_of(move));
      doing_.erase(move);
    }
  }
}

Done Arrivals::room_for(const Call& call, uint64_t bytes) {
  remove_old(call.now);
  if (os::list_dir(engine_.home() + "/arrivals").size() >= kMaxArrivals)
    return fail(fmt::format("{} moves to it are under way already", kMaxArrivals),
                "wait until one of them is over");
  if (bytes > kMaxMoved) return fail("its conversation is too large to be moved");
  const auto space = os::disk_space(engine_.home());
  if (space && space->free_bytes < 2 * bytes + kSpare)
    return fail(fmt::format("its disk has {} MB left, and {} are needed", space->free_bytes >> 20,
                            (2 * bytes + kSpare) >> 20),
                "make room there");
  return {};
}

Result<Json> Arrivals::begin(const Call& call, const std::string& dir) {
  const Json& args = call.args;
  if (!args["spec"].is_object()) return fail("a move says what it brings", "use pawl move", 2);
  model::AgentSpec spec = model::spec_from_json(args["spec"]);
  const std::string session_id = args["session_id"].as_string();
  if (!valid_name(spec.name) || session_id.empty() || spec.command.empty() || spec.adopted())
    return fail("a move says what it brings", "use pawl move", 2);
  if (auto fine = free_for(engine_.fleet(), spec.name, session_id); !fine)
    return tl::unexpected(fine.error());
  auto whole = completed(call, std::move(spec), "/", {});
  if (!whole) return tl::unexpected(whole.error());
  if (auto fine = its_files(*whole); !fine) return tl::unexpected(fine.error());
  if (auto fine = check_wishes(call, *whole, {}, false); !fine) return tl::unexpected(fine.error());
  const auto environment = environment_here(call, *whole);
  if (auto fine = program_there(*whole, environment); !fine) return tl::unexpected(fine.error());
  const auto* catalog = engine_.catalog();
  const auto* profile =
      catalog ? perceive::profile_of(*catalog, args["runtime"].as_string(), whole->command)
              : nullptr;
  const std::string transcript =
      profile ? store::arriving_conversation(profile->files.transcript, environment, whole->dir,
                                             args["source"].as_string())
              : std::string();
  if (transcript.empty())
    return fail("it is not known where " + whole->command.at(0) + " keeps its conversations",
                "agents of this program cannot be moved");
  if (auto fine = room_for(call, static_cast<uint64_t>(args["bytes"].as_int())); !fine)
    return tl::unexpected(fine.error());
  if (auto made = os::make_private_dir(dir); !made) return tl::unexpected(made.error());
  const Json order = Json::object({{"spec", model::to_json(*whole)},
                                   {"from", args["from"]},
                                   {"there", args["there"]},
                                   {"session_id", session_id},
                                   {"paused", args["paused"].as_bool()},
                                   {"transcript", transcript}});
  if (auto kept = os::write_atomically(dir + kOrder, order.dump()); !kept)
    return tl::unexpected(kept.error());
  return Json::object({{"version", 1}, {"pawl", call.server.version}});
}

// A piece that is there already was not heard of.
Result<Json> Arrivals::part(const Json& args, const std::string& dir) {
  if (!os::plain_file(dir + kOrder)) return fail("that move is not known here (any more)");
  const int64_t file = args["file"].as_int(-1), offset = args["offset"].as_int(-1);
  const auto data = from_base64(args["data"].as_string());
  if (file < 0 || file >= static_cast<int64_t>(kMaxFiles) || offset < 0 || !data ||
      data->size() > kMovePiece)
    return fail("a piece of a move is damaged", "use pawl move", 2);
  const std::string path = fmt::format("{}/{}", dir, file);
  const auto at = static_cast<int64_t>(os::file_size(path));
  if (at == offset + static_cast<int64_t>(data->size()) && !data->empty())
    return Json::object({{"size", at}});
  if (at != offset) return fail("a piece of a move is missing", "try it again");
  auto fd = os::open_append(path);
  if (!fd) return tl::unexpected(fd.error());
  if (auto wrote = os::write_all(fd->get(), *data, path); !wrote)
    return tl::unexpected(wrote.error());
  return Json::object({{"size", at + static_cast<int64_t>(data->size())}});
}

Result<Json> Arrivals::start(const Call& call, const std::string& move) {
  if (arrived(move)) return status(call, move);
  Doing& doing = doing_[move];
  if (doing.placing || doing.request.value != 0 || !doing.failed.empty()) return status(call, move);
  const auto text = os::read_file(dir_of(move) + kOrder);
  const auto order = text ? Json::parse(*text) : Result<Json>(tl::unexpected(text.error()));
  const auto& files = call.args["files"].items();
  if (!order || files.empty() || files.size() > kMaxFiles) {
    doing_.erase(move);
    return fail("that move is not known here (any more)");
  }
  auto work = std::make_unique<Placing>();
  work->move = move;
  work->mark = dir_of(move) + kPut;
  const std::string transcript = (*order)["transcript"].as_string();
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name = files[i]["name"].as_string();
    if (!valid_file(name)) return fail("a file of a move has no good name", "use pawl move", 2);
    const std::string target = name.empty() ? transcript : stem_of(transcript) + "/" + name;
    work->files.push_back(
        {fmt::format("{}/{}", dir_of(move), i), target, files[i]["sha256"].as_string()});
  }
  doing.placing = true;
  doing.environment = kept_environment(call);
  doing.by = call.asker;
  away_(std::move(work), kPlaceWithin,
        [this, move](ErrandBox back) { placed(move, static_cast<const Placing*>(back.get())); });
  return status(call, move);
}

void Arrivals::placed(const std::string& move, const Placing* what) {
  Doing& doing = doing_[move];
  doing.placing = false;
  if (!what) doing.failed = "putting its conversation in place took too long";
  if (what && !what->done) doing.failed = text_of(what->done.error());
  if (doing.dropped || !doing.failed.empty()) return;
  const auto text = os::read_file(dir_of(move) + kOrder);
  const auto order = text ? Json::parse(*text) : Result<Json>(tl::unexpected(text.error()));
  if (!order) {
    doing.failed = "what came of it is gone";
    return;
  }
  core::Arrived ask;
  ask.request = doing.request = engine_.next_request();
  ask.spec = model::spec_from_json((*order)["spec"]);
  ask.environment = doing.environment;
  ask.session_id = (*order)["session_id"].as_string();
  ask.transcript = (*order)["transcript"].as_string();
  ask.paused = (*order)["paused"].as_bool();
  ask.step = {model::MoveStep::came,
              (*order)["from"].as_string(),
              move,
              (*order)["there"].as_string(),
              "",
              doing.by};
  engine_.asked_by(doing.by);
  engine_.submit(std::move(ask));
  engine_.asked_by({});
}

void Arrivals::answered(const core::Answer& answer) {
  for (auto& [move, doing] : doing_) {
    if (doing.request != answer.request) continue;
    doing.request = {};
    if (!answer.done) doing.failed = text_of(answer.done.error());
    return;
  }
}

Result<Json> Arrivals::status(const Call& call, const std::string& move) {
  const auto it = doing_.find(move);
  const bool known = it != doing_.end();
  Json out = Json::object({{"version", 1}});
  if (known && !it->second.failed.empty())
    return out.set("state", "failed").set("because", it->second.failed);
  if (known && (it->second.placing || it->second.request.value != 0))
    return out.set("state", "placing");
  if (const model::Agent* agent = arrived(move))
    return out.set("state", "here").set("agent", view_of(*agent, call.now, all_fields()));
  const bool staged = os::plain_file(dir_of(move) + kOrder).has_value();
  return out.set("state", staged ? "staged" : "unknown");
}

// The copy of its conversation goes as well: where it came from it is whole. One that it went on with here is kept under another name; so
// what was there before is there again.
void Arrivals::take_back(const std::string& move) {
  const auto text = os::read_file(dir_of(move) + kOrder), put = os::read_file(dir_of(move) + kPut);
  const auto order = text ? Json::parse(*text) : Result<Json>(tl::unexpected(text.error()));
  const auto mark = put ? Json::parse(*put) : Result<Json>(tl::unexpected(put.error()));
  if (!order || !mark) return;
  const std::string target = (*order)["transcript"].as_string(), old = target + ".before-" + move;
  if ((*mark)["before"].as_bool() && !os::exists(old)) return;  // it came to nothing
  if (static_cast<int64_t>(os::file_size(target)) == (*mark)["size"].as_int())
    (void)os::remove_file(target);
  else
    (void)os::move_file(target, target + ".dropped-" + move);
  (void)os::move_file(old, target);
  if (!(*mark)["folder"].as_bool()) (void)os::remove_tree(stem_of(target));
}

Result<Json> Arrivals::drop(const Call& call, const std::string& move) {
  const auto gone = [](bool is) { return Json::object({{"version", 1}, {"gone", is}}); };
  const auto it = doing_.find(move);
  if (it != doing_.end()) it->second.dropped = true;
  if (it != doing_.end() && (it->second.placing || it->second.request.value != 0))
    return gone(false);
  if (const model::Agent* agent = arrived(move)) {
    if (!agent->intent || agent->intent->action != model::Action::remove)
      call.engine.submit(core::RemoveAsked{call.engine.next_request(), agent->spec.name, true});
    return gone(false);
  }
  take_back(move);
  (void)os::remove_tree(dir_of(move));
  doing_.erase(move);
  return gone(true);
}

Outcome arrive(const Call& call) {
  if (!call.server.arrivals) return Result<Json>(fail("nothing can be moved here"));
  return call.server.arrivals->asked(call);
}

Outcome arrive_look(const Call& call) {
  return arrive(call);
}

}  // namespace pawl::api
