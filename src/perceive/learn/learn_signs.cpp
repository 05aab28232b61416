// What is on the screen while the program works and at no other time.

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "perceive/learn/learn_parts.h"
#include "perceive/learn/learn_row.h"

namespace pawl::perceive {
namespace {

constexpr size_t kMaxSigns = 5;

struct Candidate {
  Phrase phrase;
  Region where = Region::above;
  bool alive = false;  // it turns, counts, or offers to interrupt: not what somebody wrote
  const char* means = "";
  std::vector<bool> in;  // which busy samples have it
  size_t covers = 0;
};

const char* word(Region where) {
  return where == Region::above ? "above" : where == Region::below ? "below" : "bottom";
}

Region region_of(const View& view, int row) {
  if (!view.box.there) return Region::bottom;
  return row < view.box.first ? Region::above : Region::below;
}

bool within(const View& view, Region where, int row) {
  if (!view.box.there) return true;
  if (where == Region::above) return row < view.box.first && row >= view.box.first - kAboveRows;
  if (where == Region::below) return row > view.box.last;
  return true;
}

// A glyph of its family alone is enough where nobody else writes such a glyph.
std::optional<Phrase> turning(const Phrase& phrase, const std::set<std::string>& seen) {
  if (!phrase.glyph || !phrase.first || phrase.words.size() < 2) return std::nullopt;
  const std::string& family = phrase.words[0];
  const bool surely = family.starts_with("[⠀") || family.starts_with("[◐");
  const auto same = std::count_if(seen.begin(), seen.end(), [&](const std::string& glyph) {
    return spinner_class(characters(glyph)[0]) == spinner_class(characters(*phrase.glyph)[0]);
  });
  if (!surely && same < 2) return std::nullopt;
  Phrase out;
  out.first = true;
  out.glyph = phrase.glyph;
  out.words = {family, "\\S"};
  return out;
}

class Signs {
 public:
  explicit Signs(const Views& views) : views_(views) {
    for (const View& view : views)
      if (view.shown() == Shown::busy) busy_.push_back(&view);
  }

  std::vector<LearntSign> learn() {
    collect();
    for (auto& candidate : candidates_) judge(candidate);
    std::erase_if(candidates_, [](const Candidate& one) { return one.covers == 0; });
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const auto& a, const auto& b) {
      if (a.covers != b.covers) return a.covers > b.covers;
      return a.alive > b.alive;
    });
    return choose();
  }

 private:
  struct Place {
    Phrase phrase;
    Region where;
    const View* view;
  };

  void collect() {
    std::vector<Place> places;
    std::set<std::string> glyphs;
    for (const View* view : busy_)
      for (int row = 0; row < static_cast<int>(view->rows.size()); ++row) {
        const Region where = region_of(*view, row);
        const bool in_box = view->box.there && row >= view->box.first && row <= view->box.last;
        if (in_box || !within(*view, where, row) || border_row(view->row(row))) continue;
        for (auto& phrase : phrases(view->row(row))) {
          if (phrase.glyph) glyphs.insert(*phrase.glyph);
          places.push_back({std::move(phrase), where, view});
        }
      }
    for (const Place& place : places) {
      if (const auto turns = turning(place.phrase, glyphs))
        add(*turns, place.where, true, "its spinner turns");
      for (const Phrase& part : parts(place.phrase))
        add(part, place.where, true, "it offers to interrupt");
      for (const Place& other : places)
        if (other.view != place.view && other.where == place.where)
          if (const auto both = unify(place.phrase, other.phrase))
            add(*both, place.where, both->glyph.has_value(), "seen while it works");
      if (telling(place.phrase))
        add(place.phrase, place.where, place.phrase.glyph.has_value(), "seen while it works");
    }
  }

  void add(const Phrase& phrase, Region where, bool alive, const char* means) {
    const bool known = std::any_of(candidates_.begin(), candidates_.end(), [&](const auto& old) {
      return old.where == where && old.phrase.pattern() == phrase.pattern();
    });
    if (!known) candidates_.push_back({phrase, where, alive, means, {}, 0});
  }

  void judge(Candidate& candidate) const {
    const std::string pattern = candidate.phrase.pattern();
    for (const View& view : views_)
      if (view.shown() != Shown::busy &&
          any_row(view, pattern, [&](int row) { return within(view, candidate.where, row); }))
        return;  // it is there at other times as well
    for (const View* view : busy_) {
      candidate.in.push_back(
          any_row(*view, pattern, [&](int row) { return within(*view, candidate.where, row); }));
      candidate.covers += candidate.in.back() ? 1 : 0;
    }
    // What stands still above the box in one sample may be anything somebody wrote.
    const bool written = candidate.where != Region::below && !candidate.alive;
    if (written && (busy_.size() == 1 || candidate.covers < busy_.size())) candidate.covers = 0;
  }

  std::vector<LearntSign> choose() const {
    std::vector<LearntSign> out;
    std::vector<bool> covered(busy_.size(), false);
    bool lively = false;
    for (const Candidate& one : candidates_) {
      bool adds = false;
      for (size_t i = 0; i < covered.size(); ++i) adds = adds || (one.in[i] && !covered[i]);
      const bool spare = one.covers == busy_.size() && (one.alive || !lively);
      if (out.size() == kMaxSigns || (!adds && !spare)) continue;
      for (size_t i = 0; i < covered.size(); ++i) covered[i] = covered[i] || one.in[i];
      lively = lively || one.alive;
      out.push_back({one.phrase.pattern(), word(one.where), one.means, one.covers});
    }
    return out;
  }

  const Views& views_;
  std::vector<const View*> busy_;
  std::vector<Candidate> candidates_;
};

// The first word of a title, when it is a symbol.
std::string title_mark(const std::string& title) {
  const auto chars = characters(title);
  if (chars.size() < 2 || chars[0].size() < 2 || chars[1] != " ") return {};
  return chars[0];
}

}  // namespace

std::vector<LearntSign> learn_work(const Views& views) {
  return Signs(views).learn();
}

LearntTitle learn_title(const Views& views) {
  std::set<std::string> idle, busy, asks;
  for (const View& view : views) {
    const std::string mark = title_mark(view.still->title);
    (view.shown() == Shown::busy ? busy : view.shown() == Shown::dialog ? asks : idle).insert(mark);
  }
  const auto apart = [](const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::none_of(a.begin(), a.end(), [&](const auto& mark) { return b.count(mark) > 0; });
  };
  const auto pattern = [](const std::set<std::string>& marks) {
    std::string out = "^[";
    for (const auto& mark : marks) {
      const auto family = spinner_class(mark);
      out += family && family->starts_with("[⠀") ? "⠀-⣿" : mark;
    }
    return out + "]";
  };
  LearntTitle title;
  if (idle.count("") || busy.count("") || busy.empty() || !apart(idle, busy)) return title;
  title.idle = pattern(idle);
  title.busy = pattern(busy);
  if (!asks.empty() && !asks.count("") && apart(asks, idle) && apart(asks, busy))
    title.waiting = pattern(asks);
  return title;
}

}  // namespace pawl::perceive
