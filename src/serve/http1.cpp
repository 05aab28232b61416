#include "serve/http1.h"

#include <fmt/core.h>
#include <http_parser.h>

#include <cctype>

namespace pawl::serve {

// What http_parser calls us with. A callback that gives 1 stops the parsing.
struct Http1::Parser {
  http_parser raw{};
  http_parser_settings settings{};
  Request* request = nullptr;
  size_t head = 0;
  bool begun = false;  // a request: its first byte was read
  bool value = false;  // the last piece was of a header's value
  bool complete = false, upgrade = false, keep = true;
  bool known = false;  // somebody whose body we wait for
  bool old = false;    // HTTP/1.0
  int refused = 0;
  std::string why;

  static Parser& of(http_parser* parser) { return *static_cast<Parser*>(parser->data); }

  int refuse(int status, const char* what) {
    refused = status;
    why = what;
    return 1;
  }
  int grow(size_t length) {
    head += length;
    return head > kMaxHead ? refuse(431, "the head of the request is too large") : 0;
  }
  void begin(Request& into) {
    http_parser_init(&raw, HTTP_REQUEST);
    raw.data = this;
    request = &into;
    head = 0;
    begun = value = complete = upgrade = known = old = false;
    lines = {};
  }

  // http_parser forgives line ends and folded headers that others read differently: two who disagree about where a request ends
  // is how one is smuggled past a proxy.
  struct Lines {
    size_t length = 0;  // of the line so far
    bool first = true, ended = false;
    char last = 0;
  } lines;
  bool strict(std::string_view bytes) {
    for (const char c : bytes) {
      if (lines.ended) return true;
      if (lines.last == '\r' && c != '\n') return false;
      if (c == '\n') {
        if (lines.last != '\r') return false;
        lines.ended = lines.length == 0;
        lines.length = 0;
        lines.first = false;
      } else if (c != '\r') {
        if (lines.length++ == 0 && !lines.first && (c == ' ' || c == '\t')) return false;
      }
      lines.last = c;
    }
    return true;
  }
};

namespace {

constexpr int kSignedOutCode =
    1008;  // RFC 6455: a policy was broken; the page asks again, and is refused

bool control(const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) return true;
  return false;
}

}  // namespace

Http1::Http1(Site& site, Peer peer, bool elsewhere)
    : site_(site),
      elsewhere_(elsewhere),
      parser_(std::make_unique<Parser>()),
      peer_(std::move(peer)) {
  auto& calls = parser_->settings;
  http_parser_settings_init(&calls);
  calls.on_url = [](http_parser* parser, const char* at, size_t length) {
    auto& it = Parser::of(parser);
    it.request->target.append(at, length);
    return it.grow(length);
  };
  calls.on_header_field = [](http_parser* parser, const char* at, size_t length) {
    auto& it = Parser::of(parser);
    auto& headers = it.request->headers;
    if (it.value || headers.empty()) headers.emplace_back();
    it.value = false;
    for (size_t i = 0; i < length; ++i)
      headers.back().first += static_cast<char>(std::tolower(static_cast<unsigned char>(at[i])));
    if (headers.size() > kMaxHeaders) return it.refuse(431, "too many headers");
    return it.grow(length);
  };
  calls.on_header_value = [](http_parser* parser, const char* at, size_t length) {
    auto& it = Parser::of(parser);
    it.value = true;
    it.request->headers.back().second.append(at, length);
    return it.grow(length);
  };
  calls.on_headers_complete = [](http_parser* parser) {
    auto& it = Parser::of(parser);
    it.old = parser->http_minor == 0;
    it.upgrade = parser->upgrade && !it.old;
    it.request->method = http_method_str(static_cast<http_method>(parser->method));
    if (parser->http_major != 1 || parser->http_minor > 1)
      return it.refuse(400, "only HTTP/1.0, HTTP/1.1 and HTTP/2"), -1;
    // Browsers say how long a body is. Chunks and trailers are one more thing to disagree about.
    if (it.request->header("transfer-encoding"))
      return it.refuse(411, "a body says its length beforehand"), -1;
    if ((parser->flags & F_CONTENTLENGTH) && parser->content_length > kMaxBody)
      return it.refuse(413, "the body is too large"), -1;
    return 0;
  };
  calls.on_body = [](http_parser* parser, const char* at, size_t length) {
    auto& it = Parser::of(parser);
    if (it.request->body.size() + length > kMaxBody) return it.refuse(413, "the body is too large");
    it.request->body.append(at, length);
    return 0;
  };
  calls.on_message_complete = [](http_parser* parser) {
    auto& it = Parser::of(parser);
    it.complete = true;
    it.keep = http_should_keep_alive(parser) != 0;
    http_parser_pause(parser, 1);
    return 0;
  };
  parser_->begin(request_);
}

Http1::~Http1() = default;

bool Http1::waiting() const {
  return !exchange_ && !terminal_ && !over_ && (parser_->begun || !in_.empty());
}
bool Http1::idle() const {
  return !exchange_ && !terminal_ && !over_ && !parser_->begun && in_.empty();
}
bool Http1::live() const {
  return terminal_ || (exchange_ && (exchange_->streams() || !exchange_->response()));
}

// Nothing typed into a terminal of somebody who left counts any more.
bool Http1::signed_out() const {
  return terminal_ && site_.guard().signed_out(session_);
}

std::optional<MonoTime> Http1::wake_at() const {
  if (terminal_) return terminal_->wake_at();
  return exchange_ ? exchange_->wake_at() : std::nullopt;
}

bool Http1::has_more(const Clock& now) const {
  if (over_) return false;
  return !handshake_.empty() ||
         (exchange_ && (!exchange_->streams() || !begun_ || exchange_->has_more(now)));
}

void Http1::receive(const Clock& now, std::string_view bytes) {
  if (over_) return;
  if (signed_out()) return terminal_->close(kSignedOutCode, "signed out");
  if (terminal_) return terminal_->receive(now, bytes);
  in_ += bytes;
  if (in_.size() > kMaxHead + kMaxBody) return refuse(413, "too much at once");
  parse(now);
}

void Http1::parse(const Clock& now) {
  while (!exchange_ && !terminal_ && !over_ && !in_.empty()) {
    auto& parser = *parser_;
    if (!parser.begun && (in_[0] == '\r' || in_[0] == '\n')) {
      in_.erase(0, 1);
      continue;
    }
    parser.begun = true;
    if (!parser.strict(in_)) return refuse(400, "a line of the head ends or begins wrongly");
    const size_t used = http_parser_execute(&parser.raw, &parser.settings, in_.data(), in_.size());
    const auto error = HTTP_PARSER_ERRNO(&parser.raw);
    in_.erase(0, used);
    if (parser.refused != 0) return refuse(parser.refused, parser.why);
    if (error != HPE_OK && error != HPE_PAUSED)
      return refuse(400, std::string("this is not HTTP: ") + http_errno_description(error));
    if (!parser.lines.ended) return;
    request_.peer = peer_;
    const bool body = !parser.complete || !request_.body.empty();
    if (body && !parser.known && !(parser.known = site_.knows(now, request_)))
      parser.keep = false;  // refused by its head; the body is not wanted
    else if (!parser.complete)
      return;
    whole(now);
  }
}

void Http1::whole(const Clock& now) {
  for (const auto& [name, value] : request_.headers)
    if (!token_text(name) || control(value)) return refuse(400, "a header is malformed");
  if (request_.count("content-length") > 1 || request_.count("transfer-encoding") > 1)
    return refuse(400, "the length of the body is said twice");
  old_ = parser_->old;
  keep_ = parser_->keep && !old_;
  head_only_ = request_.method == "HEAD";
  const std::string* upgrade = request_.header("upgrade");
  request_.upgrade = parser_->upgrade && upgrade && media_type(*upgrade) == "websocket";
  if (elsewhere_ && !site_.asks_for_authority(request_)) {
    Response there = refusal(400, "this port speaks https", "use https://", 2);
    if (const std::string* host = request_.header("host");
        host && !site_.guard().refuse_host(request_) && parse_target(request_.target)) {
      there.status = 308;
      there.headers.emplace_back("location", "https://" + *host + request_.target);
    }
    keep_ = false;
    exchange_ = std::make_unique<Exchange>(std::move(there));
  } else if (request_.upgrade) {
    auto opened = site_.open(now, request_);
    if (opened.terminal) {
      terminal_ = std::move(opened.terminal);
      session_ = std::move(opened.session);
      say_head(opened.response, handshake_);
      terminal_->receive(now, std::exchange(in_, {}));
    } else {
      keep_ = false;
      exchange_ = std::make_unique<Exchange>(std::move(opened.response));
    }
  } else if (!site_.knows(now, request_) && !(place_ = site_.strangers().take(peer_.address))) {
    keep_ = false;
    exchange_ = std::make_unique<Exchange>(refusal(503, "too many ask at once", "try again later"));
  } else {
    // To something we do not speak; or the next one has to come with TLS.
    if (parser_->upgrade || elsewhere_) keep_ = false;
    exchange_ = site_.begin(now, request_);
  }
  request_ = {};
  parser_->begin(request_);
}

void Http1::refuse(int status, const std::string& what) {
  in_.clear();
  keep_ = false;
  exchange_ = std::make_unique<Exchange>(Site::malformed(status, what));
}

void Http1::say_head(const Response& response, std::string& out) {
  Response it;
  it.status = response.status;
  it.headers = response.headers;
  add_safety(it);
  out += fmt::format("HTTP/1.1 {} {}\r\n", it.status, reason_of(it.status));
  for (const auto& [name, value] : it.headers) out += name + ": " + value + "\r\n";
  if (it.status == 101) {
    out += "\r\n";
    return;
  }
  chunked_ = exchange_->streams() && !old_;
  if (it.status != 304) out += "content-type: " + response.type + "\r\n";
  if (chunked_)
    out += "transfer-encoding: chunked\r\n";
  else if (it.status != 304 && !exchange_->streams())
    out += fmt::format("content-length: {}\r\n", response.content().size());
  if (!keep_) out += "connection: close\r\n";
  out += "\r\n";
}

// The next request may come, or the connection ends.
bool Http1::finish() {
  exchange_.reset();
  place_ = {};
  begun_ = false;
  over_ = !keep_;
  return !over_;
}

void Http1::follow(const Clock& now, const std::vector<core::Answer>& answers) const {
  if (exchange_) exchange_->follow(now, answers);
}

void Http1::send(const Clock& now, std::string& out, size_t room) {
  if (signed_out()) terminal_->close(kSignedOutCode, "signed out");
  if (terminal_) {
    out += std::exchange(handshake_, {});
    terminal_->follow(now, room);
    out += terminal_->take_output();
    over_ = terminal_->over();
    return;
  }
  const size_t limit = out.size() + (place_ ? std::min(room, kStrangersOut) : room);
  while (exchange_ && out.size() < limit) {
    exchange_->follow(now, {});
    const Response* response = exchange_->response();
    if (!response) return;
    if (!std::exchange(begun_, true)) {
      say_head(*response, out);
      const bool bodiless = head_only_ || response->status == 304 || exchange_->streams();
      rest_ = bodiless ? std::string_view() : response->content();
    }
    if (exchange_->streams() && !head_only_) {
      std::string more;
      exchange_->more(now, more, limit > out.size() ? limit - out.size() : 0);
      if (!more.empty())
        out += chunked_ ? fmt::format("{:x}\r\n", more.size()) + more + "\r\n" : more;
      if (!exchange_->lost()) return;
      if (chunked_) out += "0\r\n\r\n";
      keep_ = false;
      finish();
      return;
    }
    const size_t piece = std::min(rest_.size(), limit > out.size() ? limit - out.size() : 0);
    out += rest_.substr(0, piece);
    rest_.remove_prefix(piece);
    if (!rest_.empty() || !finish()) return;
    parse(now);
    if (terminal_) return send(now, out, room);
  }
}

}  // namespace pawl::serve
