#include "perceive/learn/learn.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "perceive/learn/learn_parts.h"
#include "perceive/learn/learn_row.h"

namespace pawl::perceive {
namespace {

// More patient than a profile made by hand, less than the generic one: the samples show where to look, not how fast it is.
constexpr const char* kPatience =
    "quiet_ms = 700     # nothing moves for so long before it is ready\n"
    "sent_ms = 4000     # … after a text vanished from its box, unless it is seen to work\n";

std::string quoted(const std::string& text) {
  if (text.find('\'') == std::string::npos && text.find('\n') == std::string::npos)
    return "'" + text + "'";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string list(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (const auto& text : texts) out.push_back(quoted(text));
  return "[" + join(out, ", ") + "]";
}

std::string key(const char* name, const std::string& text) {
  return text.empty() ? std::string() : fmt::format("{} = {}\n", name, quoted(text));
}

size_t count(const std::vector<Still>& stills, Shown shown) {
  return static_cast<size_t>(std::count_if(
      stills.begin(), stills.end(), [&](const Still& still) { return still.shown == shown; }));
}

std::string samples(size_t number, Shown shown) {
  return fmt::format("{} {} sample{}", number, word(shown), number == 1 ? "" : "s");
}

std::string box_toml(const LearntBox& box, const std::vector<Still>& stills) {
  std::string out =
      fmt::format("\n# From the cursor and the rows around it in {} and {}.\n[[box]]\n",
                  samples(count(stills, Shown::idle), Shown::idle),
                  samples(count(stills, Shown::typing), Shown::typing));
  out += key("above", box.above) + key("prompt", box.prompt) + key("below", box.below);
  return out + fmt::format("cursor = \"{}\"\nfooter_rows = {}\n", box.cursor, box.footer_rows);
}

std::string placeholders_toml(const LearntBox& box) {
  return box.placeholders.empty() ? std::string()
                                  : "placeholders = " + list(box.placeholders) + "\n";
}

struct Learnt {
  LearntBox box;
  LearntTitle title;
  std::vector<LearntSign> work;
  std::vector<LearntDialog> dialogs;
};

std::string head_toml(const LearnHints& hints, const Learnt& learnt,
                      const std::vector<Still>& stills) {
  std::string out = fmt::format(
      "# Learnt by pawl calibrate from {}, {}, {} and {}.\n"
      "# They are in tests/{}: pawl calibrate --check reads them again after a change.\n"
      "name = {}\nabout = {}\n{}",
      samples(count(stills, Shown::idle), Shown::idle),
      samples(count(stills, Shown::typing), Shown::typing),
      samples(count(stills, Shown::busy), Shown::busy),
      samples(count(stills, Shown::dialog), Shown::dialog), hints.name, quoted(hints.name),
      quoted(hints.name + ", calibrated here"), kPatience);
  if (!learnt.box.placeholders.empty())
    out += "# In the box while nothing was typed.\n" + placeholders_toml(learnt.box);
  out += "\n[recognise]\n";
  if (!hints.processes.empty()) out += "processes = " + list(hints.processes) + "\n";
  if (!hints.arguments.empty()) out += "arguments = " + list(hints.arguments) + "\n";
  if (!learnt.title.busy.empty())
    out += "\n# The symbols its titles begin with.\n[title]\n" + key("idle", learnt.title.idle) +
           key("busy", learnt.title.busy) + key("waiting", learnt.title.waiting);
  return out + "\n[start]\nsettle_ms = 1000\n";
}

std::string toml_of(const LearnHints& hints, const Learnt& learnt,
                    const std::vector<Still>& stills) {
  std::string out = head_toml(hints, learnt, stills) + box_toml(learnt.box, stills);
  for (const auto& sign : learnt.work)
    out += fmt::format("\n# In {} of {}, and at no other time.\n[[busy]]\n", sign.samples,
                       samples(count(stills, Shown::busy), Shown::busy)) +
           key("where", sign.where) + key("pattern", sign.pattern) + key("means", sign.means);
  for (const auto& dialog : learnt.dialogs)
    out +=
        "\n# In a dialog sample, and at no other time. The kind is a guess from its "
        "words.\n[[dialog]]\n" +
        key("kind", dialog.kind) + key("where", dialog.where) + key("pattern", dialog.pattern);
  return out;
}

// The box alone, so that the Eye can say where it is in each view.
Done find_boxes(const LearnHints& hints, const LearntBox& box, const std::vector<Still>& stills,
                Views& views) {
  LearntBox wide = box;
  wide.footer_rows = 60;
  const auto profile =
      parse_profile("name = " + quoted(hints.name) + "\n" + box_toml(wide, stills), "calibrate");
  if (!profile) return tl::unexpected(profile.error());
  for (View& view : views) {
    Eye eye(*profile);
    eye.look(view.terminal.screen());
    view.box = eye.sight().box;
  }
  return {};
}

std::vector<std::string> notes_of(const Learnt& learnt, const std::vector<Still>& stills) {
  std::vector<std::string> out;
  const auto few = [&](Shown shown, size_t least, const char* why) {
    if (const size_t have = count(stills, shown); have < least)
      out.push_back(fmt::format("only {}: {}", samples(have, shown), why));
  };
  few(Shown::idle, 2, "take another after a turn, when text stands above the box");
  few(Shown::busy, 2, "take another some seconds later and one while a tool runs");
  few(Shown::typing, 1, "type a few words without sending them and press t");
  few(Shown::dialog, 1, "its questions will not be known; let it ask for a permission and press d");
  if (learnt.work.empty())
    out.emplace_back(
        "nothing was found that is on the screen only while it works: take busy and idle samples "
        "of "
        "the same conversation");
  if (count(stills, Shown::dialog) > 0 && learnt.dialogs.empty())
    out.emplace_back("nothing in the dialog was new: is its question on the screen?");
  return out;
}

}  // namespace

View::View(const Still& its) : still(&its), terminal(terminal_of(its)) {
  for (int row = 0; row < its.size.rows; ++row)
    rows.push_back(plain_row(terminal.screen().row_text(row)));
}

const std::string& View::row(int number) const {
  static const std::string none;
  return number < 0 || number >= static_cast<int>(rows.size()) ? none
                                                               : rows[static_cast<size_t>(number)];
}

bool any_row(const View& view, const std::string& pattern,
             const std::function<bool(int row)>& counts) {
  Patterns patterns;
  if (!patterns.add(pattern)) return true;  // cannot be used: as if it were everywhere
  for (int row = 0; row < static_cast<int>(view.rows.size()); ++row)
    if (!view.row(row).empty() && counts(row) && patterns.find(0, view.row(row))) return true;
  return false;
}

Result<LearnedBox> learn_only_box(const std::vector<Still>& stills) {
  Views views;
  views.reserve(stills.size());
  for (const Still& still : stills) views.emplace_back(still);
  auto box = learn_box(views);
  if (!box) return fail("its input box was not found");
  const LearnHints hints{"learnt", {}, {}};
  if (const auto found = find_boxes(hints, *box, stills, views); !found)
    return tl::unexpected(found.error());
  learn_rest_of_box(views, *box);
  LearnedBox out{box_toml(*box, stills), placeholders_toml(*box), {}};
  const auto profile = parse_profile("name = 'learnt'\n" + out.placeholders + out.rows, "learnt");
  if (!profile) return tl::unexpected(profile.error());
  for (View& view : views) {
    if (view.shown() != Shown::idle && view.shown() != Shown::typing) continue;
    Eye eye(*profile);
    eye.look(view.terminal.screen());
    const Box& seen = eye.sight().box;
    if (!seen.there || seen.draft != (view.shown() == Shown::typing))
      return fail("the box does not fit its own samples");
  }
  return out;
}

Result<LearnedProfile> learn(const LearnHints& hints, const std::vector<Still>& stills) {
  if (count(stills, Shown::idle) == 0)
    return fail("there is no idle sample", "bring the agent to its empty prompt and take one");
  if (count(stills, Shown::busy) == 0)
    return fail("there is no busy sample", "let the agent work and take one meanwhile");
  Views views;
  views.reserve(stills.size());
  for (const Still& still : stills) views.emplace_back(still);
  const auto box = learn_box(views);
  if (!box)
    return fail("its input box was not found",
                "take an idle sample with nothing in the box, and a typing one with a few words");
  Learnt learnt;
  learnt.box = *box;
  if (const auto found = find_boxes(hints, learnt.box, stills, views); !found)
    return tl::unexpected(found.error());
  learn_rest_of_box(views, learnt.box);
  learnt.title = learn_title(views);
  learnt.work = learn_work(views);
  learnt.dialogs = learn_dialogs(views);
  return LearnedProfile{hints.name, toml_of(hints, learnt, stills), notes_of(learnt, stills)};
}

Result<Trial> try_profile(const std::string& toml, const std::string& path,
                          const std::vector<Still>& stills) {
  Catalog catalog = Catalog::built_in();
  const auto name = catalog.add(toml, path);
  if (!name) return tl::unexpected(name.error());
  Trial trial;
  for (size_t i = 0; i < stills.size(); ++i) {
    Verdict verdict = read_still(catalog, *name, stills[i]);
    if (verdict.state == state_of(stills[i].shown))
      ++trial.right;
    else
      trial.wrong.push_back({i, std::move(verdict)});
  }
  trial.generic_right = count_right(catalog, "generic", stills);
  return trial;
}

}  // namespace pawl::perceive
