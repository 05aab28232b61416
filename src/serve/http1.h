#pragma once
// HTTP/1.1 and 1.0 on one connection: bytes in, bytes out, one request at a time. http_parser reads, we decide; a request that breaks the
// rules is answered once and the connection ends. After a WebSocket's handshake the rest belongs to its terminal.
// A request of HTTP/1.0 passes the same door (it needs a Host, too), is the only one of its connection, and gets no chunks: a stream
// ends with the connection. It cannot become a WebSocket.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/site.h"

namespace pawl::serve {

class Http1 {
 public:
  // `elsewhere`: it only says where to go instead ("https://…"), whatever is asked; but the CA, which anybody may have.
  Http1(Site& site, Peer peer, bool elsewhere);
  ~Http1();
  Http1(const Http1&) = delete;
  Http1& operator=(const Http1&) = delete;

  void receive(const Clock& now, std::string_view bytes);
  // What can be said by now, at most about `room` bytes more.
  void send(const Clock& now, std::string& out, size_t room);
  // After every turn, also while nothing can be sent: answers are told once.
  void follow(const Clock& now, const std::vector<core::Answer>& answers) const;
  bool has_more(const Clock& now) const;
  std::optional<MonoTime> wake_at() const;

  bool over() const { return over_; }  // close when everything is out
  bool waiting() const;                // for the rest of a request
  bool idle() const;                   // between two requests
  bool live() const;                   // a stream or a terminal: it may last
  bool wants_views() const { return exchange_ && exchange_->wants_views(); }
  Terminal* terminal() const { return terminal_.get(); }

 private:
  struct Parser;
  void parse(const Clock& now);
  void whole(const Clock& now);
  void refuse(int status, const std::string& what);
  void say_head(const Response& response, std::string& out);
  bool finish();
  bool signed_out() const;

  Site& site_;
  bool elsewhere_;
  std::unique_ptr<Parser> parser_;
  std::string in_;  // not parsed yet: a request that came before the last was answered
  Request request_;
  std::unique_ptr<Exchange> exchange_;
  std::string_view rest_;   // of its body
  Strangers::Place place_;  // of one that showed no credential
  std::unique_ptr<Terminal> terminal_;
  std::string session_;  // the terminal's cookie
  std::string handshake_;
  Peer peer_;
  bool begun_ = false;  // the head is out
  bool head_only_ = false;
  bool keep_ = true;
  bool old_ = false;  // HTTP/1.0
  bool chunked_ = false;
  bool over_ = false;
};

}  // namespace pawl::serve
