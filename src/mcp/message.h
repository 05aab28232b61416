#pragma once
// One message of a client: JSON-RPC, read with distrust. Pure. For server.cpp.

#include <string>
#include <string_view>

#include "mcp/protocol.h"

namespace pawl::mcp {

struct Message {
  enum class Kind { request, notification, response } kind = Kind::request;
  Json id = {};  // of a request: a text or a whole number
  std::string method = {};
  Json params = Json::object();
};

// What is wrong with it, and the id of the request when that could be told.
struct Misread {
  Json id;
  Fault fault;
};

tl::expected<Message, Misread> read_message(std::string_view text);

}  // namespace pawl::mcp
