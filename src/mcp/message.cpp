#include "mcp/message.h"

namespace pawl::mcp {
namespace {

bool is_id(const Json& id) {
  return id.is_string() || id.is_number();
}

tl::unexpected<Misread> misread(Json id, int code, std::string message) {
  return tl::unexpected(Misread{std::move(id), Fault{code, std::move(message)}});
}

}  // namespace

tl::expected<Message, Misread> read_message(std::string_view text) {
  const auto json = Json::parse(text);
  if (!json) return misread({}, kParseError, "this is no JSON: one message a line, in UTF-8");
  if (json->is_array())
    return misread({}, kInvalidRequest, "no batches: send each message on a line of its own");
  if (!json->is_object()) return misread({}, kInvalidRequest, "a message is a JSON object");
  const Json id = is_id((*json)["id"]) ? (*json)["id"] : Json();
  if ((*json)["jsonrpc"] != Json("2.0"))
    return misread(id, kInvalidRequest, "\"jsonrpc\" has to be \"2.0\"");
  if (!json->has("method") && (json->has("result") || json->has("error")))
    return Message{Message::Kind::response, id};
  if (!(*json)["method"].is_string())
    return misread(id, kInvalidRequest, "\"method\" has to be a text");
  if (json->has("id") && id.is_null())
    return misread(id, kInvalidRequest, "\"id\" has to be a text or a number");
  Message out{json->has("id") ? Message::Kind::request : Message::Kind::notification, id,
              (*json)["method"].as_string()};
  if (!json->has("params")) return out;
  if (!(*json)["params"].is_object())
    return misread(id, kInvalidParams, "\"params\" has to be an object");
  out.params = (*json)["params"];
  return out;
}

}  // namespace pawl::mcp
