#include "api/frame.h"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

std::string told(const Frame& frame) {
  return static_cast<char>(frame.kind) + frame.payload;
}

// All frames of a stream that arrives in these pieces.
std::vector<std::string> read_in(std::string_view stream, size_t piece, size_t limit = 1000) {
  FrameReader reader(limit);
  std::vector<std::string> frames;
  for (size_t at = 0; at < stream.size(); at += piece) {
    reader.feed(stream.substr(at, piece));
    for (;;) {
      const auto frame = reader.next();
      if (!frame) return frames.push_back("error"), frames;
      if (!*frame) break;
      frames.push_back(told(**frame));
    }
  }
  return frames;
}

TEST(Frame, AnyChunkingGivesTheSameFrames) {
  const std::string stream = encode(Kind::json, "{}") + encode(Kind::output, "") +
                             encode(Kind::input, std::string("\0\xff", 2)) +
                             encode(Kind::output, std::string(300, 'x'));
  const std::vector<std::string> expected{"J{}", "O", std::string("I\0\xff", 3),
                                          "O" + std::string(300, 'x')};
  for (size_t piece = 1; piece <= stream.size(); ++piece)
    EXPECT_EQ(read_in(stream, piece), expected) << piece;
}

TEST(Frame, ManyFramesDoNotPileUp) {
  FrameReader reader(1000);
  for (int i = 0; i < 2000; ++i) {
    reader.feed(encode(Kind::output, std::string(100, 'x')) +
                encode(Kind::output, "y").substr(0, 3));
    ASSERT_EQ((*reader.next())->payload.size(), 100u);
    ASSERT_FALSE(*reader.next());
    reader.feed(encode(Kind::output, "y").substr(3));
    ASSERT_EQ((*reader.next())->payload, "y");
  }
}

TEST(Frame, TheLengthIsLittleEndian) {
  EXPECT_EQ(encode(Kind::json, std::string(258, 'x')).substr(0, 5),
            std::string("\x02\x01\0\0J", 5));
}

TEST(Frame, OneAboveTheLimitEndsTheStreamBeforeItsBytesCome) {
  EXPECT_EQ(read_in(encode(Kind::json, std::string(1000, 'x')), 7).size(), 1u);
  FrameReader reader(1000);
  reader.feed(encode(Kind::json, std::string(1001, 'x')).substr(0, 5));
  const auto refused = reader.next();
  ASSERT_FALSE(refused);
  EXPECT_EQ(text_of(refused.error()), "the request is larger than 1000 bytes: send less at once");
  FrameReader huge(1000);
  huge.feed("\xff\xff\xff\xffJ");
  EXPECT_FALSE(huge.next());
}

TEST(Frame, AnUnknownKindEndsTheStream) {
  for (const std::string& garbage :
       {std::string("GET / HTTP/1.1\r\n"), std::string(5, '\0'), std::string("\x01\0\0\0j", 5)}) {
    FrameReader reader(1000);
    reader.feed(garbage);
    const auto refused = reader.next();
    ASSERT_FALSE(refused) << garbage;
    EXPECT_EQ(refused.error().what, "not a pawl client: unknown frame");
  }
}

TEST(Reply, SurvivesTheWire) {
  const Json result = Json::object({{"a", 1}});
  EXPECT_EQ(*result_of(*Json::parse(reply_of(result))), result);
  const Error error{"what", "fix", 124};
  EXPECT_EQ(result_of(*Json::parse(reply_of(tl::unexpected(error)))).error(), error);
  EXPECT_EQ(result_of(Json::object()).error().what, "the daemon's answer makes no sense");
}

}  // namespace
}  // namespace pawl::api
