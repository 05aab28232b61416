#include "serve/websocket.h"

#include <gtest/gtest.h>

namespace pawl::serve {
namespace {

using Kind = WsMessage::Kind;

// A frame as a browser sends it: masked.
std::string masked(unsigned first, const std::string& payload, bool mask = true) {
  std::string out{static_cast<char>(first)};
  const unsigned bit = mask ? 0x80 : 0;
  if (payload.size() < 126) {
    out += static_cast<char>(bit | payload.size());
  } else {
    out += static_cast<char>(bit | 126);
    out += {static_cast<char>(payload.size() >> 8), static_cast<char>(payload.size())};
  }
  if (!mask) return out + payload;
  const std::string key = "\x01\x22\x73\x54";
  out += key;
  for (size_t i = 0; i < payload.size(); ++i) out += static_cast<char>(payload[i] ^ key[i % 4]);
  return out;
}

std::vector<WsMessage> all(WsReader& reader) {
  std::vector<WsMessage> out;
  while (auto message = reader.next()) out.push_back(*message);
  return out;
}

TEST(WebSocket, MessagesComeOutHoweverTheBytesAreCut) {
  const std::string bytes = masked(0x81, "hello") + masked(0x02, "ab") + masked(0x89, "p") +
                            masked(0x80, std::string(300, 'c')) + masked(0x88, "");
  WsReader reader;
  std::vector<WsMessage> found;
  for (const char c : bytes) {
    reader.feed(std::string_view(&c, 1));
    for (auto& message : all(reader)) found.push_back(message);
  }
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].payload, "hello");
  EXPECT_EQ(found[1].kind, Kind::ping) << "control frames may stand between fragments";
  EXPECT_EQ(found[2].kind, Kind::binary);
  EXPECT_EQ(found[2].payload, "ab" + std::string(300, 'c'));
  EXPECT_EQ(found[3].kind, Kind::close);
  EXPECT_EQ(reader.broken(), 0);
}

struct Broken {
  const char* name;
  std::string bytes;
  int code;
};

TEST(WebSocket, WhatNoBrowserSendsEndsIt) {
  std::string huge{static_cast<char>(0x82), static_cast<char>(0xff)};
  huge += std::string(8, '\x7f');
  const std::vector<Broken> cases{
      {"unmasked", masked(0x81, "x", false), 1002},
      {"reserved bit", masked(0xc1, "x"), 1002},
      {"reserved opcode", masked(0x83, "x"), 1002},
      {"continued nothing", masked(0x80, "x"), 1002},
      {"a text in a text", masked(0x01, "x") + masked(0x81, "y"), 1002},
      {"a ping in pieces", masked(0x09, "x"), 1002},
      {"a long ping", masked(0x89, std::string(126, 'x')), 1002},
      {"not UTF-8", masked(0x81, "\xff"), 1007},
      {"overlong UTF-8", masked(0x81, "\xc0\xaf"), 1007},
      {"a surrogate", masked(0x81, "\xed\xa0\x80"), 1007},
      {"a length of years", huge, 1009},
      {"pieces above the limit",
       masked(0x02, std::string(40000, 'x')) + masked(0x80, std::string(40000, 'x')), 1009}};
  for (const auto& it : cases) {
    WsReader reader;
    reader.feed(it.bytes);
    EXPECT_TRUE(all(reader).empty()) << it.name;
    EXPECT_EQ(reader.broken(), it.code) << it.name;
    reader.feed(masked(0x81, "more"));
    EXPECT_TRUE(all(reader).empty()) << it.name << ": nothing comes after it";
  }
}

TEST(WebSocket, HandshakeOfTheStandard) {
  EXPECT_EQ(ws_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(ws_accept("short"), std::nullopt);
  EXPECT_EQ(ws_accept(""), std::nullopt);
}

TEST(WebSocket, FramesOfEverySize) {
  EXPECT_EQ(ws_frame(Kind::text, "hi"), std::string("\x81\x02hi"));
  EXPECT_EQ(ws_frame(Kind::binary, std::string(200, 'x')).substr(0, 4),
            std::string("\x82\x7e\x00\xc8", 4));
  EXPECT_EQ(ws_frame(Kind::binary, std::string(70000, 'x')).substr(0, 10),
            std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x11\x70", 10));
  EXPECT_EQ(ws_close(1000, ""), std::string("\x88\x02\x03\xe8"));
}

}  // namespace
}  // namespace pawl::serve
