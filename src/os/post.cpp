#include "os/post.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include "base/version.h"

namespace pawl::os {

// The functions of libcurl that are used, as its header declares them.
struct Poster::Curl {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_setopt) multi_setopt = nullptr;
  decltype(&curl_multi_add_handle) multi_add = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove = nullptr;
  decltype(&curl_multi_socket_action) multi_action = nullptr;
  decltype(&curl_multi_info_read) multi_info = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_setopt) setopt = nullptr;
  decltype(&curl_easy_getinfo) getinfo = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_strerror) strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free = nullptr;
};

struct Poster::Transfer {
  Transfer(const Curl& its, PostOrder what, Callback then)
      : curl(its), order(std::move(what)), callback(std::move(then)), easy(its.easy_init()) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    if (easy) curl.easy_cleanup(easy);
    curl.slist_free(headers);
  }

  const Curl& curl;
  PostOrder order;
  Callback callback;
  CURL* easy;
  curl_slist* headers = nullptr;
};

namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

// A program that is linked statically has nobody to load a library for it.
#ifdef PAWL_WITHOUT_LIBRARIES
constexpr const char* kRemedy =
    "this pawl is linked statically: have a program of yours, such as curl, tell it";
void* library() {
  return nullptr;
}
#else
constexpr const char* kRemedy = "install the package libcurl4";
void* library() {
  return ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
}
#endif

size_t forget(const char*, size_t size, size_t count, void*) {
  return size * count;
}

}  // namespace

Result<const Poster::Curl*> Poster::load() {
  static Curl curl;
  static bool loaded = false;
  if (loaded) return &curl;
  void* lib = library();
  if (!lib) return fail("libcurl.so.4 cannot be loaded", kRemedy);
  loaded = find(lib, "curl_global_init", curl.global_init) &&
           find(lib, "curl_multi_init", curl.multi_init) &&
           find(lib, "curl_multi_setopt", curl.multi_setopt) &&
           find(lib, "curl_multi_add_handle", curl.multi_add) &&
           find(lib, "curl_multi_remove_handle", curl.multi_remove) &&
           find(lib, "curl_multi_socket_action", curl.multi_action) &&
           find(lib, "curl_multi_info_read", curl.multi_info) &&
           find(lib, "curl_multi_cleanup", curl.multi_cleanup) &&
           find(lib, "curl_easy_init", curl.easy_init) &&
           find(lib, "curl_easy_setopt", curl.setopt) &&
           find(lib, "curl_easy_getinfo", curl.getinfo) &&
           find(lib, "curl_easy_cleanup", curl.easy_cleanup) &&
           find(lib, "curl_easy_strerror", curl.strerror) &&
           find(lib, "curl_slist_append", curl.slist_append) &&
           find(lib, "curl_slist_free_all", curl.slist_free) &&
           curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!loaded) return fail("libcurl.so.4 is not usable", "install the package libcurl4");
  return &curl;
}

Poster::Poster(Loop& loop) : loop_(loop), timer_(loop, [this] { move(CURL_SOCKET_TIMEOUT, 0); }) {}

Poster::~Poster() {
  if (!multi_) return;
  for (const auto& [easy, transfer] : transfers_) curl_->multi_remove(multi_, easy);
  transfers_.clear();
  curl_->multi_cleanup(multi_);  // closes connections, which calls watch()
}

// Once, with the first message.
Done Poster::begin() {
  if (multi_) return {};
  const auto curl = load();
  if (!curl) return tl::unexpected(curl.error());
  curl_ = *curl;
  multi_ = curl_->multi_init();
  if (!multi_) return fail("libcurl.so.4 is not usable");
  curl_->multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Poster::watch);
  curl_->multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_->multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Poster::remind);
  curl_->multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  return {};
}

Done Poster::post(PostOrder order, Callback callback) {
  if (auto ready = begin(); !ready) return ready;
  if (transfers_.size() >= kPostsAtOnce) return fail("too many messages are under way");
  auto transfer = std::make_unique<Transfer>(*curl_, std::move(order), std::move(callback));
  if (!transfer->easy) return fail("libcurl has no memory");
  return hand_over(std::move(transfer));
}

Done Poster::hand_over(std::unique_ptr<Transfer> transfer) {
  const PostOrder& order = transfer->order;
  CURL* easy = transfer->easy;
  for (const auto& line : order.headers)
    if (auto* more = curl_->slist_append(transfer->headers, line.c_str())) transfer->headers = more;
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(order.limit).count();
  bool fine = true;
  const auto set = [&](CURLoption option, auto value) {
    fine = curl_->setopt(easy, option, value) == CURLE_OK && fine;
  };
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_URL, order.url.c_str());
  set(CURLOPT_POSTFIELDS, order.body.c_str());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(order.body.size()));
  set(CURLOPT_HTTPHEADER, transfer->headers);
  set(CURLOPT_USERAGENT, ("pawl/" + std::string(kVersion)).c_str());
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(ms));
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_WRITEFUNCTION, &forget);
  set(CURLOPT_FORBID_REUSE, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  // A name that is looked up for too long: its thread is let go, not waited for.
  set(CURLOPT_QUICK_EXIT, 1L);
  if (!fine) return fail("libcurl does not take this message");
  transfers_.emplace(easy, std::move(transfer));
  if (curl_->multi_add(multi_, easy) == CURLM_OK) return {};
  transfers_.erase(easy);
  return fail("libcurl does not take this message");
}

void Poster::move(int socket, int ready) {
  int running = 0;
  curl_->multi_action(multi_, socket, ready, &running);
  finish_done();
}

void Poster::finish_done() {
  std::vector<std::pair<Callback, Posted>> done;
  int left = 0;
  while (const CURLMsg* message = curl_->multi_info(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* easy = message->easy_handle;
    const CURLcode result = message->data.result;
    long status = 0;
    curl_->getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_->multi_remove(multi_, easy);
    auto transfer = transfers_.extract(easy);
    if (transfer.empty()) continue;
    const bool answered = result == CURLE_OK;
    done.emplace_back(
        std::move(transfer.mapped()->callback),
        Posted{answered && status >= 200 && status < 300,
               answered ? "HTTP " + std::to_string(status) : curl_->strerror(result)});
  }
  for (const auto& [callback, how] : done)
    if (callback) callback(how);
}

int Poster::watch(void*, int socket, int what, void* self, void*) {
  auto& poster = *static_cast<Poster*>(self);
  if (what == CURL_POLL_REMOVE) {
    poster.sockets_.erase(socket);
    return 0;
  }
  auto [it, fresh] = poster.sockets_.try_emplace(socket);
  if (fresh)
    it->second = FdWatch(poster.loop_, socket, [&poster, socket](FdWatch::Ready ready) {
      poster.move(socket,
                  (ready.readable ? CURL_CSELECT_IN : 0) | (ready.writable ? CURL_CSELECT_OUT : 0));
    });
  it->second.want({.read = (what & CURL_POLL_IN) != 0, .write = (what & CURL_POLL_OUT) != 0});
  return 0;
}

int Poster::remind(void*, long ms, void* self) {
  auto& timer = static_cast<Poster*>(self)->timer_;
  if (ms < 0)
    timer.cancel();
  else
    timer.start(std::chrono::milliseconds{ms});
  return 0;
}

}  // namespace pawl::os
