// Properties on all recordings and on seeded garbage: chunking, saving in mid-stream, painting onto
// a second terminal.

#include <gtest/gtest.h>

#include <random>

#include "recording.h"
#include "term/paint.h"
#include "term/strip.h"
#include "term/terminal.h"

namespace pawl::term {
namespace {

using test::load_recording;
using test::Recording;
using test::recording_names;

// What joins the letter before it, or not.
const std::vector<std::string> kLetters = {"\u200d",       "\ufe0f",      "\U0001f3fd", "\u261d",
                                           "\U0001f1e9",   "\u0915",      "\u094d",     "\u093f",
                                           "\u1112\u1161", "\x1b[?2027h", "\x1b[?2027l"};

// Of a VT420: margins, areas, protection, the border, colours.
const std::vector<std::string> kLevel4 = {"\x1b[?69h",
                                          "\x1b[?69l",
                                          "\x1b[2;5s",
                                          "\x1b[3;9s",
                                          "\x1b[1;2;3;9;1;2;4$v",
                                          "\x1b[42;1;2;3;7$x",
                                          "\x1b[1;2;2;8$z",
                                          "\x1b[${",
                                          "\x1b[1\"q",
                                          "\x1b[\"q",
                                          "\x1bV",
                                          "\x1bW",
                                          "\x1b"
                                          "6",
                                          "\x1b"
                                          "9",
                                          "\x1b['}",
                                          "\x1b[2'~",
                                          "\x1b[?45h",
                                          "\x1b[?1045h",
                                          "\b\b\b\b\b\b",
                                          "\x1b[9D",
                                          "\x1b[?41h\t",
                                          "\x1b[?2J",
                                          "\x1b[?K",
                                          "\x1b[1;9*y",
                                          "\x1b[2;2;3;3;7$r",
                                          "\x1b[$t",
                                          "\x1b]4;1;#fff\a",
                                          "\x1b[?1;6;7;69s",
                                          "\x1b[?1;6;7;69r",
                                          "\x1b[63;1\"p",
                                          "\x1b[64;1\"p",
                                          "\x1bP$qs\x1b\\",
                                          "\x1b[22t",
                                          "\x1b[23t",
                                          "\x1b[?40h\x1b[?3h"};

const std::string& one_of(std::mt19937& random, const std::vector<std::string>& pieces) {
  return pieces[random() % pieces.size()];
}

// Pieces that mean something, cut and glued at random: deeper than random bytes, wilder than
// recordings.
std::string garbage(std::mt19937& random, size_t size) {
  static const std::vector<std::string> kPieces = {
      "\x1b[",
      "\x1b]",
      "\x1bP",
      "\x1b_",
      "\x1b\\",
      "\a",
      ";",
      ":",
      "?",
      ">",
      "1",
      "2",
      "38",
      "48",
      "58",
      "m",
      "H",
      "J",
      "K",
      "r",
      "h",
      "l",
      "b",
      "@",
      "P",
      "L",
      "M",
      "S",
      "T",
      "X",
      "A",
      "B",
      "C",
      "D",
      "\r",
      "\n",
      "\t",
      "\b",
      "\x1b"
      "7",
      "\x1b"
      "8",
      "\x1b"
      "c",
      "\x1b#8",
      "\x1b(0",
      "\x0e",
      "\x0f",
      "abc",
      "\xe6\xbc\xa2",
      "\xcc\x81",
      "\xe2\x80\x8d",
      "\xf0\x9f\x91\xa8",
      "\xef\xb8\x8f",
      "\xff",
      "\xe6",
      "?1049h",
      "?1049l",
      "?6h",
      "?7l",
      "4h",
      "8;;http://x",
      "2;t",
      "7501;state=working",
      "133;A",
      "\x1b[?25l",
      "\x1b[4:3m",
      "\x1b[38;2;9;8;7m",
      "\x1b[58:5:3m",
      "\x1b[>1u",
      "\x1b[0m",
      "\x1b[2;4r",
      "\x1b[5;5H",
      "wide \xe6\xbc\xa2\xe6\xbc\xa2 text that wraps around the border of it"};
  std::string out;
  while (out.size() < size) {
    if (random() % 16 == 0)
      out.push_back(static_cast<char>(random()));
    else
      out += one_of(random, random() % 8 == 0 ? kLetters : random() % 6 == 0 ? kLevel4 : kPieces);
  }
  return out;
}

Terminal fed(const std::string& bytes, Size size) {
  Terminal t(size);
  t.feed(bytes);
  return t;
}

Terminal fed_in_pieces(const std::string& bytes, Size size, std::mt19937& random, bool save) {
  Terminal t(size);
  for (size_t at = 0; at < bytes.size();) {
    const size_t n = 1 + random() % (random() % 8 == 0 ? 4000 : 12);
    t.feed(std::string_view(bytes).substr(at, n));
    at += n;
    if (!save || random() % 64) continue;
    auto restored = Terminal::restore(t.serialise());
    if (!restored) {
      ADD_FAILURE() << "cannot restore at " << at;
      return t;
    }
    t = *std::move(restored);
  }
  return t;
}

void expect_same(const Terminal& a, const Terminal& b, const std::string& what) {
  EXPECT_TRUE(a == b) << what;
  EXPECT_TRUE(a.serialise() == b.serialise()) << what;
}

TEST(Property, GarbageInAnyChunksGivesTheSameTerminal) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const Size size{static_cast<uint16_t>(1 + random() % 30),
                    static_cast<uint16_t>(1 + random() % 10)};
    const std::string bytes = garbage(random, 3000);
    const Terminal whole = fed(bytes, size);
    expect_same(whole, fed_in_pieces(bytes, size, random, false), std::to_string(seed));
    expect_same(whole, fed_in_pieces(bytes, size, random, true), std::to_string(seed) + " saved");
  }
}

// What is saved is whole (restore looks at every cell), and the same bytes and sizes give the same terminal.
TEST(Property, GarbageInAnySizes) {
  for (uint32_t seed = 2000; seed < 2200; ++seed) {
    std::mt19937 random(seed);
    const auto size = [&] {
      return Size{static_cast<uint16_t>(1 + random() % 30),
                  static_cast<uint16_t>(1 + random() % 10)};
    };
    Terminal t(size(), {.answers = true, .scrollback_lines = random() % 40});
    for (int step = 0; step < 30; ++step) {
      t.feed(garbage(random, 200));
      t.resize(size());
      auto restored = Terminal::restore(t.serialise());
      ASSERT_TRUE(restored) << seed << " step " << step;
      expect_same(t, *restored, std::to_string(seed));
      ASSERT_GE(t.screen().scrollback().total(), t.screen().scrollback().size()) << seed;
    }
  }
}

TEST(Property, EverySplitOfShortGarbage) {
  for (uint32_t seed = 1000; seed < 1010; ++seed) {
    std::mt19937 random(seed);
    const std::string bytes = garbage(random, 400);
    const Terminal whole = fed(bytes, {12, 4});
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
      Terminal t({12, 4});
      t.feed(bytes.substr(0, cut));
      auto restored = Terminal::restore(t.serialise());
      ASSERT_TRUE(restored);
      t.feed(bytes.substr(cut));
      restored->feed(bytes.substr(cut));
      expect_same(whole, t, std::to_string(cut));
      expect_same(whole, *restored, std::to_string(cut) + " saved");
    }
  }
}

TEST(Property, RecordingsInAnyChunks) {
  std::mt19937 random(7);
  for (const std::string& name : recording_names()) {
    const Recording r = load_recording(name);
    expect_same(fed(r.output, r.size),
                fed_in_pieces(r.output, r.size, random, r.output.size() < 100000), name);
  }
}

TEST(Property, StrippingInAnyChunks) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const std::string bytes = garbage(random, 2000);
    Stripper whole, pieces;
    std::string text;
    for (size_t at = 0; at < bytes.size(); ++at) text += pieces.feed(bytes.substr(at, 1));
    EXPECT_EQ(whole.feed(bytes), text);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
}

// What a person sees after the painter's frames is what the screen holds.
void expect_painted(const std::string& bytes, Size size, size_t step, const std::string& what) {
  Terminal source(size), person(size);
  person.count(Counting::clusters);  // as terminals do that know clusters
  Painter painter;
  for (size_t at = 0; at < bytes.size(); at += step) {
    source.feed(std::string_view(bytes).substr(at, step));
    person.feed(painter.frame(source.screen(), size));
    ASSERT_TRUE(source.screen().same_picture(person.screen()))
        << what << " at " << at << "\n"
        << source.screen().text() << "\n----\n"
        << person.screen().text();
    ASSERT_TRUE(painter.frame(source.screen(), size).empty())
        << what << ": a second frame has nothing to say";
  }
  const Modes& a = source.screen().modes();
  const Modes& b = person.screen().modes();
  EXPECT_EQ(a.bracketed_paste, b.bracketed_paste) << what;
  EXPECT_EQ(a.mouse, b.mouse) << what;
  EXPECT_EQ(a.mouse_encoding, b.mouse_encoding) << what;
  EXPECT_EQ(a.kitty_keyboard, b.kitty_keyboard) << what;
  EXPECT_EQ(source.screen().title(), person.screen().title()) << what;
  person.feed(painter.leave());
  Modes plain;
  EXPECT_EQ(person.screen().modes(), plain) << what;
  EXPECT_FALSE(person.screen().alternate());
  EXPECT_TRUE(person.screen().cursor().visible);
}

TEST(Property, PaintedGarbageLooksTheSame) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    const Size size{static_cast<uint16_t>(1 + random() % 30),
                    static_cast<uint16_t>(1 + random() % 10)};
    expect_painted(garbage(random, 2000), size, 1 + random() % 100, std::to_string(seed));
  }
}

TEST(Property, PaintedRecordingsLookTheSame) {
  for (const std::string& name : recording_names()) {
    const Recording r = load_recording(name);
    expect_painted(r.output, r.size, std::max<size_t>(500, r.output.size() / 30), name);
  }
}

}  // namespace
}  // namespace pawl::term
