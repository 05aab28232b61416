#include "perceive/profile/profile.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include "base/text.h"
#include "perceive/profile/price.h"
#include "perceive/profile/profile_keys.h"
#include "perceive/profile/profile_words.h"
#include "term/keys.h"

namespace pawl::perceive {
namespace {

// Reads one file into one profile; the first complaint wins.
class Reader {
 public:
  Reader(std::string path, Profile& profile) : complaint_(std::move(path)), profile_(profile) {}

  void read(const toml::table& root) {
    Keys keys(complaint_, root, "the profile");
    keys.text("name", profile_.name);
    keys.text("about", profile_.about);
    keys.texts("seen", profile_.seen);
    keys.milliseconds("quiet_ms", profile_.quiet);
    keys.milliseconds("sent_ms", profile_.sent);
    keys.flag("progress", profile_.progress), keys.flag("strict", profile_.strict);
    keys.choice("counts", kCountings, profile_.counts);
    keys.texts("prices", profile_.prices);
    keys.need(good_prices(profile_.prices), "prices of a model's name and five numbers");
    keys.patterns("placeholders", profile_.rows, profile_.placeholders);
    if (const auto* table = keys.table("recognise")) recognise(*table);
    if (const auto* table = keys.table("launch")) launch(*table);
    if (const auto* table = keys.table("models")) models(*table);
    if (const auto* table = keys.table("permission"))
      permission(*table, "[permission]", profile_.permission);
    if (const auto* table = keys.table("task_permission"))
      permission(*table, "[task_permission]", profile_.task_permission);
    if (const auto* table = keys.table("files")) {
      Keys files(complaint_, *table, "[files]");
      files.text("status", profile_.files.status);
      files.text("transcript", profile_.files.transcript);
      files.flag("begun", profile_.files.begun);
    }
    if (const auto* table = keys.table("deliver")) {
      Keys deliver(complaint_, *table, "[deliver]");
      deliver.milliseconds("burst_ms", profile_.deliver.burst);
      deliver.patterns("pasted", profile_.rows, profile_.deliver.pasted);
      deliver.patterns("runs", profile_.rows, profile_.deliver.runs);
      deliver.text("prompts", profile_.deliver.prompts);
      deliver.patterns("ends", profile_.rows, profile_.deliver.ends);
      deliver.patterns("submitting", profile_.rows, profile_.deliver.submitting);
      deliver.patterns("unknown", profile_.rows, profile_.deliver.unknown);
      deliver.patterns("refused", profile_.rows, profile_.deliver.refused);
    }
    if (const auto* table = keys.table("title")) title(*table);
    if (const auto* table = keys.table("start")) start(*table);
    if (const auto* table = keys.table("menu")) menu(*table);
    if (const auto* table = keys.table("hooks")) hooks(*table);
    if (const auto* table = keys.table("plain")) plain(*table);
    keys.each("hook", [&](Keys& row) { hook(row); });
    keys.patterns("shells", profile_.rows, profile_.shells);
    keys.each("box", [&](Keys& row) { box(row); });
    keys.each("busy", [&](Keys& row) { profile_.busy.push_back(sign(row)); });
    keys.each("background", [&](Keys& row) {
      bool busy = true;
      row.flag("busy", busy);
      (busy ? profile_.background : profile_.behind).push_back(sign(row, Region::below));
    });
    keys.each("suspended", [&](Keys& row) { profile_.suspended.push_back(sign(row)); });
    keys.each("done", [&](Keys& row) { profile_.done.push_back(sign(row, Region::above)); });
    keys.each("dialog", [&](Keys& row) { dialog(row); });
    keys.each("notice", [&](Keys& row) { notice(row); });
    keys.each("mode", [&](Keys& row) { mode(row); });
  }
  const std::optional<Error>& error() const { return complaint_.error(); }

 private:
  void recognise(const toml::table& table) {
    Keys keys(complaint_, table, "[recognise]");
    keys.texts("processes", profile_.recognise.processes);
    keys.texts("arguments", profile_.recognise.arguments);
    keys.texts("apps", profile_.recognise.apps);
    keys.patterns("titles", profile_.titles, profile_.recognise.titles);
    keys.patterns("screen", profile_.rows, profile_.recognise.screen);
  }
  void launch(const toml::table& table) {
    Keys keys(complaint_, table, "[launch]");
    LaunchLines& l = profile_.launch;
    using Row = std::pair<const char*, std::vector<std::string>*>;
    for (const auto& [key, list] :
         {Row{"start", &l.start}, Row{"name", &l.name}, Row{"resume", &l.resume},
          Row{"resume_unless", &l.resume_unless}, Row{"task", &l.task},
          Row{"task_resume", &l.task_resume}, Row{"batch", &l.batch},
          Row{"model_names", &l.model_names}, Row{"environment", &l.environment},
          Row{"login_probe", &l.login_probe}, Row{"model", &l.model},
          Row{"model_unless", &l.model_unless}})
      keys.texts(key, *list);
    keys.text("task_format", l.task_format);
    keys.text("compact", l.compact);
    keys.text("server", l.server);
  }
  void models(const toml::table& table) {
    Keys keys(complaint_, table, "[models]");
    keys.text("date", profile_.models.date);
    keys.need(!profile_.models.date.empty(), "date");
    for (const auto& [key, node] : table)
      if (const std::string name(key.str()); name != "date")
        keys.text(name.c_str(), profile_.models.names[name]);
  }
  void permission(const toml::table& table, const char* where, PermissionLines& lines) {
    Keys keys(complaint_, table, where);
    keys.texts("unless", lines.unless);
    for (const char* mode : kPermissionModes)
      if (keys.get(mode)) keys.texts(mode, lines.modes[mode]);
  }
  void title(const toml::table& table) {
    Keys keys(complaint_, table, "[title]");
    keys.pattern("idle", profile_.titles, profile_.title.idle);
    keys.pattern("busy", profile_.titles, profile_.title.busy);
    keys.pattern("waiting", profile_.titles, profile_.title.waiting);
  }
  void start(const toml::table& table) {
    Keys keys(complaint_, table, "[start]");
    keys.flag("title", profile_.start.title);
    keys.milliseconds("settle_ms", profile_.start.settle);
    keys.each("sign",
              [&](Keys& row) { profile_.start.signs.push_back(sign(row, Region::screen)); });
    keys.each("listens",
              [&](Keys& row) { profile_.start.listens.push_back(sign(row, Region::below)); });
  }
  void menu(const toml::table& table) {
    Keys keys(complaint_, table, "[menu]");
    keys.patterns("chosen", profile_.rows, profile_.menu_chosen);
    keys.patterns("options", profile_.rows, profile_.menu_options);
    keys.patterns("pointer", profile_.rows, profile_.menu_pointer);
    keys.patterns("hints", profile_.rows, profile_.menu_hints);
    keys.patterns("edges", profile_.rows, profile_.menu_edges);
    keys.patterns("begins", profile_.rows, profile_.menu_begins);
    keys.patterns("hidden", profile_.rows, profile_.menu_hidden);
    keys.flag("bare", profile_.menu_bare);
  }
  void plain(const toml::table& table) {
    Keys keys(complaint_, table, "[plain]");
    keys.patterns("asks", profile_.plain.rows, profile_.plain.asks);
    keys.patterns("crashed", profile_.plain.rows, profile_.plain.crashed);
    keys.patterns("nags", profile_.plain.rows, profile_.plain.nags);
  }
  void hooks(const toml::table& table) {
    Keys keys(complaint_, table, "[hooks]");
    keys.texts("arguments", profile_.hooks.arguments);
    keys.texts("unless", profile_.hooks.unless);
    keys.flag("beside", profile_.hooks.beside);
    keys.texts("background", profile_.hooks.background);
    keys.texts("behind", profile_.hooks.behind);
    keys.texts("aside", profile_.hooks.aside);
    keys.text("stop_event", profile_.hooks.stop_event);
    keys.number("stop_cap", profile_.hooks.stop_cap, 1000);
    const auto* errors = keys.table("errors");
    if (!errors) return;
    Keys words(complaint_, *errors, "[hooks.errors]");
    for (const auto& [key, node] : *errors) {
      const std::string word(key.str());
      words.choice(word.c_str(), kNotices, profile_.hooks.errors[word]);
    }
  }
  void hook(Keys& keys) {
    HookRule rule;
    keys.text("event", rule.event);
    keys.text("field", rule.field);
    keys.text("value", rule.value);
    keys.choice("means", kMeanings, rule.means);
    keys.text("kind", rule.kind);
    keys.need(!rule.event.empty(), "event");
    keys.need(rule.field.empty() == rule.value.empty(), "field and value, both or none");
    if (rule.means == Means::waiting) need_kind(keys, rule.kind);
    profile_.hook_rules.push_back(std::move(rule));
  }
  void box(Keys& keys) {
    BoxShape shape;
    keys.pattern("prompt", profile_.rows, shape.prompt);
    keys.pattern("above", profile_.rows, shape.above);
    keys.pattern("below", profile_.rows, shape.below);
    keys.pattern("apart", profile_.rows, shape.apart);
    keys.flag("typed", shape.typed);
    keys.flag("widest", shape.widest);
    keys.choice("cursor", kCursors, shape.cursor);
    keys.number("footer_rows", shape.footer_rows, 100);
    keys.need(shape.prompt >= 0 || (shape.above >= 0 && shape.below >= 0), "prompt");
    profile_.boxes.push_back(shape);
  }
  Sign sign(Keys& keys, Region otherwise = Region::bottom) {
    Sign sign{.where = otherwise, .means = {}};
    keys.pattern("pattern", profile_.rows, sign.pattern);
    keys.choice("where", kRegions, sign.where);
    keys.text("means", sign.means);
    keys.flag("turns", sign.turns);
    keys.need(sign.pattern >= 0, "pattern");
    return sign;
  }
  void dialog(Keys& keys) {
    DialogRule rule;
    keys.pattern("pattern", profile_.rows, rule.pattern);
    keys.pattern("question", profile_.rows, rule.question);
    keys.pattern("about", profile_.rows, rule.about);
    keys.choice("where", kRegions, rule.where);
    keys.text("kind", rule.kind);
    keys.flag("numbered", rule.numbered);
    keys.each("row", [&](Keys& row) {
      DialogRow one;
      row.pattern("pattern", profile_.choices, one.pattern);
      row.choice("cost", kCosts, one.cost);
      row.text("keys", one.keys);
      row.text("means", one.means);
      row.need(one.pattern >= 0, "pattern");
      rule.rows.push_back(one);
    });
    keys.need(rule.pattern >= 0, "pattern");
    need_kind(keys, rule.kind);
    profile_.dialogs.push_back(std::move(rule));
  }
  void need_kind(Keys& keys, const std::string& kind) {
    keys.need(
        std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end(),
        "kind (trust, permission, login, limit, survey, update, question, resume-picker, other)");
  }
  void notice(Keys& keys) {
    NoticeRule rule;
    keys.pattern("pattern", profile_.rows, rule.pattern);
    keys.choice("kind", kNotices, rule.kind);
    keys.choice("where", kRegions, rule.where);
    keys.need(rule.pattern >= 0, "pattern");
    profile_.notices.push_back(rule);
  }
  void mode(Keys& keys) {
    ModeRule rule;
    rule.where = Region::prompt;
    keys.pattern("pattern", profile_.rows, rule.pattern);
    keys.pattern("title", profile_.titles, rule.title);
    keys.choice("where", kRegions, rule.where);
    keys.text("means", rule.means);
    keys.text("input", rule.input);
    keys.flag("absent", rule.absent);
    keys.flag("boxless", rule.boxless);
    keys.flag("pastes", rule.pastes);
    keys.text("leave", rule.leave);
    keys.need(rule.leave.empty() || term::key_bytes(rule.leave, {}), "leave (a key: Escape, q)");
    keys.need(rule.pattern >= 0 || rule.title >= 0, "pattern or title");
    keys.need(std::find(kInputs.begin(), kInputs.end(), rule.input) != kInputs.end(),
              "input (vim, shell, memory, agents, picker, view, search, editor)");
    profile_.modes.push_back(std::move(rule));
  }
  Complaint complaint_;
  Profile& profile_;
};

std::optional<Error> read_into(Profile& profile, const std::string& text, const std::string& path) {
  toml::table root;
  try {
    root = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    return Error{fmt::format("{}:{}: {}", path, error.source().begin.line, error.description())};
  }
  Reader reader(path, profile);
  reader.read(root);
  return reader.error();
}

}  // namespace

Result<Profile> parse_profile(const std::string& text, const std::string& path,
                              const std::string& shared) {
  Profile profile;
  if (const auto error = read_into(profile, text, path)) return tl::unexpected(*error);
  if (profile.name.empty()) return fail(path + ": the profile has no 'name'");
  if (!shared.empty()) {
    const std::string name = profile.name;
    if (const auto error = read_into(profile, shared, "shared.toml")) return tl::unexpected(*error);
    profile.name = name;
  }
  for (Patterns* set : {&profile.rows, &profile.titles, &profile.choices, &profile.plain.rows})
    if (const auto done = set->compile(); !done) return fail(path + ": " + done.error().what);
  return profile;
}

}  // namespace pawl::perceive
