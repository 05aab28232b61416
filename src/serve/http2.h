#pragma once
// HTTP/2 on one connection: nghttp2 reads and writes the frames, every stream is an exchange. WebSockets stay with HTTP/1.1, where
// browsers open them when this side does not offer them here.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/site.h"

struct nghttp2_session;

namespace pawl::serve {

inline constexpr uint32_t kMaxStreams = 64;  // at once, of one connection

class Http2 {
 public:
  Http2(Site& site, Peer peer);
  ~Http2();
  Http2(const Http2&) = delete;
  Http2& operator=(const Http2&) = delete;

  void receive(const Clock& now, std::string_view bytes);
  void send(const Clock& now, std::string& out, size_t room);
  void follow(const Clock& now, const std::vector<core::Answer>& answers) const;
  bool has_more(const Clock& now) const;
  std::optional<MonoTime> wake_at() const;

  bool over() const;
  bool waiting() const;
  bool idle() const { return streams_.empty(); }
  bool live() const;
  bool wants_views() const;

 private:
  struct Stream;
  struct Calls;  // what nghttp2 calls us with
  void answer(int32_t id, Stream& stream);
  void refuse(Stream& stream, int status, const char* what);
  bool admit_stranger(Stream& stream);

  Site& site_;
  Peer peer_;
  Clock now_{};
  std::map<int32_t, std::unique_ptr<Stream>> streams_;
  bool broken_ = false;
  bool known_ = false;  // somebody with a credential asked here
  nghttp2_session* session_ = nullptr;
};

}  // namespace pawl::serve
