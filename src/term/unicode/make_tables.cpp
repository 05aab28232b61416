// make_tables DATA OUT: writes the table behind term/width.h from the facts of Unicode in DATA, when Pawl is built.
// One byte for each character (term/letter_class.h says which bits), in blocks of 256; equal blocks are there once.

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "term/letter_class.h"

namespace {

using pawl::term::LetterClass;

constexpr size_t kAll = 0x110000, kBlock = 256;

struct Facts {
  std::map<std::string, std::vector<bool>> of;
  bool is(const char* what, size_t c) const {
    const auto it = of.find(what);
    return it != of.end() && it->second[c];
  }
};

Facts read(const char* path) {
  Facts facts;
  std::ifstream in(path);
  std::vector<bool>* property = nullptr;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word[0] == '[') {
        property = &facts.of[word.substr(1, word.size() - 2)];
        property->resize(kAll);
        continue;
      }
      size_t end = 0;
      const size_t first = std::stoul(word, &end, 16);
      const size_t last = end < word.size() ? std::stoul(word.substr(end + 1), nullptr, 16) : first;
      if (property == nullptr || last >= kAll) throw std::runtime_error("a bad line: " + line);
      for (size_t c = first; c <= last; ++c) (*property)[c] = true;
    }
  }
  return facts;
}

LetterClass class_of(const Facts& facts, size_t c) {
  if (c >= 0xac00 && c <= 0xd7a3)
    return (c - 0xac00) % 28 ? LetterClass::closed : LetterClass::open;
  if (c >= 0x1f1e6 && c <= 0x1f1ff) return LetterClass::regional;
  if (c >= 0x1f3fb && c <= 0x1f3ff) return LetterClass::tone;
  if (c == 0x200d) return LetterClass::joiner;
  if (c == 0xe33 || c == 0xeb3)
    return LetterClass::other;  // am: a letter, and everybody leaves a column for it
  constexpr std::pair<const char*, LetterClass> kNamed[] = {
      {"linker", LetterClass::linker},   {"extend", LetterClass::extend},
      {"spacing", LetterClass::spacing}, {"prepend", LetterClass::prepend},
      {"lead", LetterClass::lead},       {"vowel", LetterClass::vowel},
      {"tail", LetterClass::tail},       {"consonant", LetterClass::consonant},
      {"picture", LetterClass::picture}};
  for (const auto& [name, value] : kNamed)
    if (facts.is(name, c)) return value;
  return LetterClass::other;
}

// Columns of one character alone. Marks of half-width kana and Arabic signs that stand before numbers take one, as everywhere.
unsigned width_of(const Facts& facts, LetterClass kind, size_t c) {
  if (c < 0xa0 || c == 0xff9e || c == 0xff9f || kind == LetterClass::prepend) return 1;
  if (kind == LetterClass::tone) return 2;
  for (const LetterClass none :
       {LetterClass::vowel, LetterClass::tail, LetterClass::extend, LetterClass::linker})
    if (kind == none) return 0;
  if (facts.is("mark", c) || facts.is("format", c)) return 0;
  return facts.is("wide", c) ? 2 : 1;
}

uint8_t entry(const Facts& facts, size_t c) {
  const LetterClass kind = class_of(facts, c);
  unsigned bits = static_cast<unsigned>(kind) | width_of(facts, kind, c) << pawl::term::kWidthShift;
  if (facts.is("emoji", c)) bits |= pawl::term::kEmojiBit;
  if (facts.is("tone_base", c)) bits |= pawl::term::kToneBaseBit;
  return static_cast<uint8_t>(bits);
}

void write(std::ostream& out, const char* head, const std::vector<unsigned>& numbers) {
  out << head << "[] = {";
  for (size_t i = 0; i < numbers.size(); ++i) out << (i % 32 ? "" : "\n") << numbers[i] << ',';
  out << "};\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "make_tables DATA OUT\n"), 2;
  const Facts facts = read(argv[1]);
  std::map<std::vector<unsigned>, unsigned> known;
  std::vector<unsigned> blocks, bytes;
  for (size_t first = 0; first < kAll; first += kBlock) {
    std::vector<unsigned> block;
    for (size_t c = first; c < first + kBlock; ++c) block.push_back(entry(facts, c));
    const auto [it, is_new] = known.emplace(block, static_cast<unsigned>(known.size()));
    if (is_new) bytes.insert(bytes.end(), block.begin(), block.end());
    blocks.push_back(it->second);
  }
  if (facts.of.size() < 10 || known.size() > 255)
    return std::fprintf(stderr, "%s: not the facts that are needed\n", argv[1]), 1;
  std::ofstream out(argv[2]);
  out << "// Made from the facts of Unicode in src/term/unicode when Pawl is built.\n";
  write(out, "constexpr uint8_t kBlockOf", blocks);
  write(out, "constexpr uint8_t kLetters", bytes);
  return out.flush() ? 0 : 1;
}
