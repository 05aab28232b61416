#include "term/cast.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::term {
namespace {

std::string decode(const std::string& lines) {
  CastDecoder decoder;
  std::string bytes;
  for (const auto& line : split(lines, '\n')) {
    if (line.empty()) continue;
    const auto event = parse_cast_event(line);
    EXPECT_TRUE(event.has_value()) << line;
    if (auto more = decoder.output(*event)) bytes += *more;
  }
  return bytes;
}

std::string every_byte_and_text() {
  std::string bytes = "plain \x1b[31mäöü 漢字 👍 \r\n\"quoted\\\" \x7f";
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  return bytes + "\xF0\x9F\x91";  // ends inside a code point
}

TEST(Cast, AnyChunkingKeepsEveryByte) {
  const std::string bytes = every_byte_and_text();
  for (size_t chunk = 1; chunk <= bytes.size(); chunk = chunk * 2 + 1) {
    CastEncoder encoder;
    std::string lines;
    for (size_t at = 0; at < bytes.size(); at += chunk)
      lines += encoder.output(0.5, std::string_view(bytes).substr(at, chunk));
    EXPECT_EQ(decode(lines + encoder.finish(1)), bytes) << chunk;
  }
}

TEST(Cast, ValidTextNeedsNoExactLineAndACutCodePointWaits) {
  CastEncoder encoder;
  EXPECT_EQ(encoder.output(1, "a\xC3"), "[1.000000, \"o\", \"a\"]\n");
  EXPECT_EQ(encoder.waiting(), 1u);
  EXPECT_EQ(encoder.output(2, "\xA4"), "[2.000000, \"o\", \"\xC3\xA4\"]\n");
  EXPECT_EQ(encoder.waiting(), 0u);
}

TEST(Cast, CountingGivesTheLengthOfTheLines) {
  const std::string bytes = every_byte_and_text() + " and on";
  for (size_t chunk = 1; chunk <= bytes.size(); chunk = chunk * 2 + 1) {
    CastEncoder kept, counted;
    for (size_t at = 0; at < bytes.size(); at += chunk) {
      const double t = 9.9999 + 0.00007 * static_cast<double>(at);
      const std::string_view more = std::string_view(bytes).substr(at, chunk);
      ASSERT_EQ(counted.count(t, more), kept.output(t, more).size()) << chunk << " at " << at;
      ASSERT_EQ(counted.waiting(), kept.waiting());
    }
    EXPECT_EQ(counted.finish(1), kept.finish(1));
  }
}

TEST(Cast, HeadersOfBothVersions) {
  CastHeader header;
  header.size = {120, 40};
  header.extra = Json::object({{"part", 3}});
  const auto back = parse_cast_header(cast_line(header));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->size, header.size);
  EXPECT_EQ(back->extra["part"].as_int(), 3);
  EXPECT_EQ(parse_cast_header(R"({"version":3,"term":{"cols":80,"rows":24}})")->size,
            (Size{80, 24}));
  EXPECT_FALSE(parse_cast_header(R"({"version":1})").has_value());
  EXPECT_FALSE(parse_cast_header("garbage").has_value());
  EXPECT_FALSE(parse_cast_event("[1,\"o\"]").has_value());
}

TEST(Cast, WhatIsWrittenAnotherWayIsReadAsJson) {
  for (const auto& [line, data] : std::vector<std::pair<std::string, std::string>>{
           {R"([1.5, "o", "a\n\u001b[0m"])", "a\n\x1b[0m"},  // as we write no newline
           {R"([1.5,"o","tight"])", "tight"},
           {R"([15e-1, "o", "\u00e9\u20ac\/"])", "é€/"},
           {R"([1.5, "o", "ours \u000a\"\\ é"])", "ours \n\"\\ é"},
           {"[1.5, \"o\", \"ours\"]\n", "ours"}}) {
    const auto event = parse_cast_event(line);
    ASSERT_TRUE(event.has_value()) << line;
    EXPECT_EQ(std::tie(event->t, event->code, event->data), std::make_tuple(1.5, 'o', data))
        << line;
  }
}

TEST(Cast, WhatIsNoEventIsRefusedHoweverMuchItLooksLikeOurs) {
  for (const char* line : {R"([1.5, "o", "a"b"])", R"([1.5, "o", "a\"])", R"([1.5, "o", "\u00"])",
                           R"([1.5, "o", "\x41"])", R"([-, "o", "a"])", R"([1.5, "oo", "a"])",
                           R"([1.5, ""o, "a"])", "[1.5, \"o\", \"\xff\"]", "[1.5, \"o\", \"\x1b\"]",
                           R"([1.5, "o", "a"]])", R"([1.5, "o", "])", "[", "\n"})
    EXPECT_FALSE(parse_cast_event(line).has_value()) << line;
}

}  // namespace
}  // namespace pawl::term
