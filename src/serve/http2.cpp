#include "serve/http2.h"

#include <nghttp2/nghttp2.h>

namespace pawl::serve {

struct Http2::Stream {
  Request request;
  size_t head = 0;
  bool whole = false;     // the request
  bool bodiless = false;  // HEAD
  bool answered = false;  // its head was given to nghttp2
  bool sleeping = false;  // it has nothing to say at the moment
  std::unique_ptr<Exchange> exchange;
  std::string more;        // of one that streams
  std::string_view body;   // not sent yet: of the exchange's response, or of `more`
  Strangers::Place place;  // of one that showed no credential
};

struct Http2::Calls {
  static Http2& of(void* user) { return *static_cast<Http2*>(user); }

  static Stream* stream(void* user, int32_t id) {
    auto& streams = of(user).streams_;
    const auto it = streams.find(id);
    return it == streams.end() ? nullptr : it->second.get();
  }

  static int begin(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    auto& made = of(user).streams_[frame->hd.stream_id];
    made = std::make_unique<Stream>();
    made->request.peer = of(user).peer_;
    return 0;
  }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                    size_t name_length, const uint8_t* value, size_t value_length, uint8_t,
                    void* user) {
    Stream* it = stream(user, frame->hd.stream_id);
    if (!it || it->exchange) return 0;
    if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;  // trailers are no headers
    const std::string key(reinterpret_cast<const char*>(name), name_length);
    std::string text(reinterpret_cast<const char*>(value), value_length);
    it->head += name_length + value_length + 32;
    if (it->head > kMaxHead || it->request.headers.size() >= kMaxHeaders) {
      of(user).refuse(*it, 431, "the head of the request is too large");
      return 0;
    }
    if (key == ":method")
      it->request.method = std::move(text);
    else if (key == ":path")
      it->request.target = std::move(text);
    else if (key == ":authority")
      it->request.headers.emplace_back("host", std::move(text));
    else if (key == "host" && it->request.header("host") && *it->request.header("host") == text)
      return 0;
    else if (key[0] != ':')
      it->request.headers.emplace_back(key, std::move(text));
    return 0;
  }

  static int data(nghttp2_session*, uint8_t, int32_t id, const uint8_t* bytes, size_t length,
                  void* user) {
    Stream* it = stream(user, id);
    if (!it || it->exchange) return 0;
    if (it->request.body.size() + length > kMaxBody)
      of(user).refuse(*it, 413, "the body is too large");
    else
      it->request.body.append(reinterpret_cast<const char*>(bytes), length);
    return 0;
  }

  static int frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    const bool carries = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    Stream* it = stream(user, frame->hd.stream_id);
    if (!carries || !it || it->whole) return 0;
    Http2& self = of(user);
    it->whole = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    const bool head = frame->hd.type == NGHTTP2_HEADERS;
    if (it->exchange || (!it->whole && !head)) return 0;
    const bool known = self.site_.knows(self.now_, it->request);
    if (!it->whole && known) return 0;
    if (!known && !self.admit_stranger(*it))
      return nghttp2_submit_rst_stream(self.session_, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                       NGHTTP2_ENHANCE_YOUR_CALM);
    self.known_ = self.known_ || known;
    it->exchange = self.site_.begin(self.now_, it->request);
    it->bodiless = it->request.method == "HEAD";
    it->request = {};
    return 0;
  }

  static int close(nghttp2_session*, int32_t id, uint32_t, void* user) {
    of(user).streams_.erase(id);
    return 0;
  }

  // nghttp2 wants so much of a body.
  static ssize_t read(nghttp2_session*, int32_t id, uint8_t* into, size_t length, uint32_t* flags,
                      nghttp2_data_source*, void* user) {
    Stream* it = stream(user, id);
    if (!it) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    if (it->body.empty() && it->exchange->streams()) {
      it->more.clear();
      it->exchange->more(of(user).now_, it->more, length);
      it->body = it->more;
      if (it->body.empty() && !it->exchange->lost()) {
        it->sleeping = true;
        return NGHTTP2_ERR_DEFERRED;
      }
    }
    const size_t n = std::min(length, it->body.size());
    std::copy_n(it->body.data(), n, reinterpret_cast<char*>(into));
    it->body.remove_prefix(n);
    const bool last = !it->exchange->streams() || it->exchange->lost();
    if (last && it->body.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(n);
  }
};

Http2::Http2(Site& site, Peer peer) : site_(site), peer_(std::move(peer)) {
  nghttp2_session_callbacks* calls = nullptr;
  CHECK(nghttp2_session_callbacks_new(&calls) == 0);
  nghttp2_session_callbacks_set_on_begin_headers_callback(calls, Calls::begin);
  nghttp2_session_callbacks_set_on_header_callback(calls, Calls::header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, Calls::data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(calls, Calls::frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(calls, Calls::close);
  CHECK(nghttp2_session_server_new(&session_, calls, this) == 0);
  nghttp2_session_callbacks_del(calls);
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMaxStreams},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<uint32_t>(kMaxHead)},
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}};
  CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings)) == 0);
}

Http2::~Http2() {
  nghttp2_session_del(session_);
}

bool Http2::admit_stranger(Stream& stream) {
  size_t open = 0;
  for (const auto& [id, other] : streams_) open += other->place ? 1 : 0;
  if (open < kStrangersStreams) stream.place = site_.strangers().take(peer_.address);
  return static_cast<bool>(stream.place);
}

void Http2::refuse(Stream& stream, int status, const char* what) {
  stream.exchange = std::make_unique<Exchange>(Site::malformed(status, what));
}

void Http2::receive(const Clock& now, std::string_view bytes) {
  now_ = now;
  if (broken_) return;
  const ssize_t used = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (used < 0) {
    broken_ = true;
    (void)nghttp2_session_terminate_session(session_, NGHTTP2_PROTOCOL_ERROR);
  }
}

// Its head, and where its body comes from.
void Http2::answer(int32_t id, Stream& stream) {
  const Response* response = stream.exchange->response();
  if (!response) return;
  stream.answered = true;
  Response head;
  head.headers = response->headers;
  add_safety(head);
  const std::string status = std::to_string(response->status);
  const std::string length = std::to_string(response->content().size());
  std::vector<nghttp2_nv> fields;
  const auto add = [&](const std::string& name, const std::string& value) {
    // nghttp2 copies them; it only wants them without const.
    fields.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                      reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(),
                      value.size(), NGHTTP2_NV_FLAG_NONE});
  };
  const std::string status_name = ":status", type_name = "content-type",
                    length_name = "content-length";
  add(status_name, status);
  for (const auto& [name, value] : head.headers) add(name, value);
  if (response->status != 304) add(type_name, response->type);
  if (!stream.exchange->streams() && response->status != 304) add(length_name, length);
  const bool bodiless = stream.bodiless || response->status == 304 ||
                        (!stream.exchange->streams() && response->content().empty());
  if (!stream.exchange->streams()) stream.body = response->content();
  nghttp2_data_provider source{};
  source.read_callback = Calls::read;
  (void)nghttp2_submit_response(session_, id, fields.data(), fields.size(),
                                bodiless ? nullptr : &source);
}

void Http2::follow(const Clock& now, const std::vector<core::Answer>& answers) const {
  for (const auto& [id, stream] : streams_)
    if (stream->exchange) stream->exchange->follow(now, answers);
}

void Http2::send(const Clock& now, std::string& out, size_t room) {
  now_ = now;
  for (auto& [id, stream] : streams_) {
    if (!stream->exchange) continue;
    stream->exchange->follow(now, {});
    if (!stream->answered) answer(id, *stream);
    if (stream->sleeping && stream->exchange->has_more(now)) {
      stream->sleeping = false;
      (void)nghttp2_session_resume_data(session_, id);
    }
  }
  const size_t limit = out.size() + (known_ ? room : std::min(room, kStrangersOut));
  while (out.size() < limit) {
    const uint8_t* bytes = nullptr;
    const ssize_t length = nghttp2_session_mem_send(session_, &bytes);
    if (length < 0) broken_ = true;
    if (length <= 0) return;
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
}

bool Http2::has_more(const Clock& now) const {
  if (nghttp2_session_want_write(session_)) return true;
  for (const auto& [id, stream] : streams_)
    if (stream->exchange &&
        (!stream->answered || (stream->sleeping && stream->exchange->has_more(now))))
      return true;
  return false;
}

std::optional<MonoTime> Http2::wake_at() const {
  std::optional<MonoTime> earliest;
  for (const auto& [id, stream] : streams_) {
    const auto due = stream->exchange ? stream->exchange->wake_at() : std::nullopt;
    if (due && (!earliest || *due < *earliest)) earliest = due;
  }
  return earliest;
}

bool Http2::over() const {
  return broken_ ? !nghttp2_session_want_write(session_)
                 : !nghttp2_session_want_read(session_) && !nghttp2_session_want_write(session_);
}

bool Http2::waiting() const {
  for (const auto& [id, stream] : streams_)
    if (!stream->whole) return true;
  return false;
}

bool Http2::live() const {
  for (const auto& [id, stream] : streams_)
    if (stream->exchange && (stream->exchange->streams() || !stream->exchange->response()))
      return true;
  return false;
}

bool Http2::wants_views() const {
  for (const auto& [id, stream] : streams_)
    if (stream->exchange && stream->exchange->wants_views()) return true;
  return false;
}

}  // namespace pawl::serve
