#include "api/trust_handlers.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "api/agent_request.h"
#include "api/roles.h"
#include "base/sha256.h"
#include "base/text.h"
#include "os/file.h"
#include "os/home.h"
#include "os/private_file.h"
#include "store/agent_files.h"
#include "store/approvals.h"
#include "term/utf8.h"

namespace pawl::api {
namespace {

constexpr size_t kPathShown = 4096;

// A configuration file as a client sent it, and its agents as they would be started.
struct Wish {
  std::string name;
  Result<model::AgentSpec> spec;
  bool same = false;  // known already, with these very settings
};
struct Sent {
  std::string path, dir, text;
  model::AgentSpec defaults;  // of the person's own configuration
  model::Config config;
  std::vector<Error> repairs;
  std::vector<Wish> wishes;
};

// What a person is shown of a path has no escapes in it.
std::string shown_path(const std::string& path) {
  return term::plain_text(path, kPathShown);
}

bool same_settings(const model::Agent* known, model::AgentSpec wish) {
  if (!known) return false;
  wish.repairs = known->spec.repairs;
  return known->spec == wish;
}

Wish wish_of(const Call& call, const Sent& sent, const model::AgentSpec& agent) {
  Wish out{agent.name, completed(call, agent, sent.dir, sent.config)};
  if (out.spec)
    if (auto fine = check_wishes(call, *out.spec, sent.config); !fine)
      out.spec = tl::unexpected(fine.error());
  out.same = out.spec && same_settings(call.engine.fleet().find(agent.name), *out.spec);
  return out;
}

// Relative folders are meant from where the file is, and nobody can say that they are meant from elsewhere.
Result<Sent> sent_file(const Call& call) {
  Sent out;
  const std::string name = call.args["path"].as_string("pawl.toml");
  out.path = os::absolute(name, call.request["cwd"].as_string("/"));
  out.dir = out.path.substr(0, std::max<size_t>(out.path.rfind('/'), 1));
  out.text = call.args["text"].as_string();
  const auto below = user_config(call);
  if (!below) return tl::unexpected(below.error());
  out.defaults = below->defaults;
  auto read = model::read_config(out.text, shown_path(name), *below);
  if (!read) return tl::unexpected(read.error());
  out.config = std::move(read->config);
  out.repairs = std::move(read->repairs);
  if (out.config.agents.empty()) return fail(shown_path(name) + " has no [agent.NAME]", "add one");
  for (const auto& agent : out.config.agents) out.wishes.push_back(wish_of(call, out, agent));
  return out;
}

// The person's own configuration. What an agent calls so is looked up: it could call anything so.
bool own_file(const Call& call, const Sent& sent) {
  if (!call.asker.inside()) {
    const Json& config = call.request["config"];
    return config["path"].as_string() == sent.path && config["text"].as_string() == sent.text;
  }
  if (sent.path != os::config_path()) return false;
  const auto text = os::read_file(sent.path);
  return text && *text == sent.text;
}

Result<store::Approvals> approvals_of(const Call& call) {
  const auto& files = call.engine.files();
  const std::string path = files.home() + "/" + store::kApprovalsName;
  if (os::is_link(path) || os::exists(path))
    if (auto fine = os::read_private(path, store::kMaxApprovalsBytes); !fine)
      return tl::unexpected(fine.error());
  return store::Approvals::load(files.disk(), files.home());
}

enum class Standing { own, known, approved, changed, never };
const char* word(Standing standing) {
  static constexpr const char* kWords[] = {"own", "known", "approved", "changed", "never"};
  return kWords[static_cast<size_t>(standing)];
}

struct Judged {
  Standing standing = Standing::never;
  WallTime at = {};  // approved, or before it changed
  bool fine() const { return standing != Standing::changed && standing != Standing::never; }
};

Result<Judged> judge(const Call& call, const Sent& sent) {
  if (own_file(call, sent)) return Judged{Standing::own};
  const bool nothing_new = std::all_of(sent.wishes.begin(), sent.wishes.end(),
                                       [](const Wish& wish) { return wish.same; });
  const auto list = approvals_of(call);
  if (!list) return tl::unexpected(list.error());
  const store::Approval* approval = list->find(sent.path);
  if (approval && approval->digest == sha256_hex(sent.text))
    return Judged{Standing::approved, approval->at};
  if (nothing_new) return Judged{Standing::known};
  if (!approval) return Judged{};
  return Judged{Standing::changed, approval->at};
}

// What `pawl trust` takes for this file, as one would type it: its folder, when it has the usual name.
std::string to_name(const std::string& path) {
  const std::string usual = "/pawl.toml";
  const std::string name = shown_path(path.ends_with(usual) && path.size() > usual.size()
                                          ? path.substr(0, path.size() - usual.size())
                                          : path);
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 ||
           std::string_view("/._-+,:@%").find(char(c)) != std::string_view::npos;
  });
  return plain ? name : shell_quoted(name);
}

Error not_approved(const Sent& sent, Standing standing) {
  const std::string how =
      standing == Standing::changed ? " changed since you approved it" : " was never approved";
  return {shown_path(sent.path) + how, "read it, then approve it: pawl trust " + to_name(sent.path),
          kNotAllowed};
}

// It could write there what it may do; a person would be asked before that counts, and may not look.
std::optional<std::string> in_its_own_reach(const Sent& sent, const model::AgentSpec& spec) {
  const std::string folder = spec.dir == "/" ? spec.dir : spec.dir + "/";
  if (spec.may.empty() || !sent.path.starts_with(folder)) return std::nullopt;
  return spec.name + " may use " + join(spec.may, ", ") +
         ", and the file that says so is in its own folder: keep it where the agent cannot write, "
         "or "
         "look well at what pawl up shows when it has changed";
}

using Keys = std::vector<std::pair<const char*, std::vector<std::string>>>;

// What an agent may do, runs or tells besides its command. Each as words.
Keys keys_of(const model::AgentSpec& spec) {
  const auto one = [](const std::string& text) {
    return text.empty() ? std::vector<std::string>{} : std::vector{text};
  };
  return {{"permission", one(spec.permission)},
          {"answer_permissions", one(spec.answer_permissions)},
          {"may", spec.may},
          {"trust_dirs", spec.trust_dirs},
          {"env_file", one(spec.env_file)},
          {"prompt", one(spec.prompt)},
          {"prompt_file", one(spec.prompt_file)},
          {"work.command", spec.work.command},
          {"work.folders", spec.work.folders},
          {"recovery.auth_refresh", spec.recovery.auth_refresh},
          {"notify", spec.notify}};
}

Json wish_json(const Wish& wish, const model::AgentSpec& defaults) {
  Json out = Json::object({{"name", wish.name}, {"same", wish.same}});
  if (!wish.spec) return out.set("error", text_of(wish.spec.error()));
  out.set("dir", wish.spec->dir).set("command", wish.spec->command);
  Json keys = Json::object();
  const Keys usual = keys_of(defaults), its = keys_of(*wish.spec);
  for (size_t i = 0; i < its.size(); ++i)
    if (its[i] != usual[i]) keys.set(its[i].first, its[i].second);
  return out.set("keys", keys);
}

Result<Json> approve(const Call& call, store::Approvals list) {
  const auto sent = sent_file(call);
  if (!sent) return tl::unexpected(sent.error());
  list.add({sent->path, sha256_hex(sent->text), call.now.wall});
  const auto& files = call.engine.files();
  if (auto saved = list.save(files.disk(), files.home()); !saved)
    return tl::unexpected(saved.error());
  return Json::object({{"version", 1}, {"path", sent->path}});
}

Result<Json> forget(const Call& call, store::Approvals list) {
  const std::string path = call.args["path"].as_string();
  if (!list.forget(path))
    return fail(shown_path(path) + " is not approved", "pawl trust --list shows what is");
  const auto& files = call.engine.files();
  if (auto saved = list.save(files.disk(), files.home()); !saved)
    return tl::unexpected(saved.error());
  return Json::object({{"version", 1}, {"path", path}});
}

Json listed(const store::Approvals& approvals) {
  Json list = Json::array();
  for (const auto& one : approvals.all())
    list.push(Json::object({{"path", one.path}, {"sha256", one.digest}, {"at", rfc3339(one.at)}}));
  return Json::object({{"version", 1}, {"approved", list}});
}

}  // namespace

Outcome up(const Call& call) {
  auto sent = sent_file(call);
  if (!sent) return Result<Json>(tl::unexpected(sent.error()));
  const auto judged = judge(call, *sent);
  if (!judged) return Result<Json>(tl::unexpected(judged.error()));
  if (!judged->fine()) return Result<Json>(tl::unexpected(not_approved(*sent, judged->standing)));
  Gathering gathering;
  for (const auto& repair : sent->repairs) gathering.complaints.push_back(text_of(repair));
  for (auto& [name, spec, same] : sent->wishes) {
    if (!spec) {
      gathering.results.emplace_back(name, tl::unexpected(spec.error()));
      continue;
    }
    if (auto said = in_its_own_reach(*sent, *spec)) gathering.complaints.push_back(*said);
    const model::Agent* known = call.engine.fleet().find(name);
    const RequestId request = call.engine.next_request();
    gathering.waiting[request] = name;
    if (known && known->running())  // rules follow at once, the program at its next start
      call.engine.submit(core::Reconfigure{request, *spec});
    else
      call.engine.submit(
          core::RunAsked{request, *spec, kept_environment(call), "asked by pawl up"});
  }
  return gathering;
}

Outcome trust(const Call& call) {
  auto list = approvals_of(call);
  if (!list) return Result<Json>(tl::unexpected(list.error()));
  if (call.args["list"].as_bool()) return Result<Json>(listed(*list));
  if (call.args["forget"].as_bool()) return forget(call, std::move(*list));
  return approve(call, std::move(*list));
}

// Who may not use `up` is told so before he is asked anything.
Outcome preview(const Call& call) {
  if (auto fine = allowed(call.engine.fleet(), call.asker, "up", call.args); !fine)
    return Result<Json>(tl::unexpected(fine.error()));
  const auto sent = sent_file(call);
  if (!sent) return Result<Json>(tl::unexpected(sent.error()));
  const auto judged = judge(call, *sent);
  if (!judged) return Result<Json>(tl::unexpected(judged.error()));
  Json agents = Json::array();
  for (const auto& wish : sent->wishes) agents.push(wish_json(wish, sent->defaults));
  const bool dated = judged->at != WallTime{};
  return Result<Json>(Json::object({{"version", 1},
                                    {"path", sent->path},
                                    {"standing", word(judged->standing)},
                                    {"fine", judged->fine()},
                                    {"at", dated ? Json(rfc3339(judged->at)) : Json()},
                                    {"place", to_name(sent->path)},
                                    {"agents", agents}}));
}

}  // namespace pawl::api
