#pragma once
// HTTP(S) POST without waiting: libcurl, driven by our loop. For daemon/notifier.
//
// Any 2xx is success; a redirect is not followed; what comes back is not kept. What is said of a failure never holds the URL:
// its path and its user may be secrets.
//
// libcurl is loaded when the first message goes and not before: it and the twenty libraries behind it would make every start
// of `pawl` four times as slow.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/loop.h"

namespace pawl::os {

inline constexpr size_t kPostsAtOnce = 32;  // more are refused

struct PostOrder {
  std::string url;
  std::vector<std::string> headers = {};  // "Name: value"
  std::string body = {};
  Duration limit =
      std::chrono::seconds{10};  // for everything, from the name of the host to the last byte
};

struct Posted {
  bool fine = false;
  std::string how;  // "HTTP 200", "HTTP 503", "Couldn't connect to server"
};

class Poster {
 public:
  using Callback = std::function<void(const Posted&)>;

  explicit Poster(Loop& loop);
  ~Poster();  // what is under way is forgotten
  Poster(const Poster&) = delete;
  Poster& operator=(const Poster&) = delete;

  // The callback comes once, later, from the loop; it may post again. After an error it does not come.
  Done post(PostOrder order, Callback callback);

 private:
  struct Curl;
  struct Transfer;
  static Result<const Curl*> load();
  Done begin();
  Done hand_over(std::unique_ptr<Transfer> transfer);
  void move(int socket, int ready);
  void finish_done();
  static int watch(void* easy, int socket, int what, void* self, void* unused);
  static int remind(void* multi, long ms, void* self);

  Loop& loop_;
  const Curl* curl_ = nullptr;
  void* multi_ = nullptr;  // CURLM
  Timer timer_;
  std::map<int, FdWatch> sockets_;
  std::map<void*, std::unique_ptr<Transfer>> transfers_;  // by their CURL
};

}  // namespace pawl::os
