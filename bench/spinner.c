/* The smallest agent: a spinner that moves ten times a second. Static and without libraries'
   start-up noise, so that a thousand of them measure the holders and not themselves. */
#include <time.h>
#include <unistd.h>

int main(void) {
  static const char frames[4][64] = {"\r\033[38;5;174m| Thinking... (esc to interrupt)\033[0m  ",
                                     "\r\033[38;5;174m/ Thinking... (esc to interrupt)\033[0m  ",
                                     "\r\033[38;5;174m- Thinking... (esc to interrupt)\033[0m  ",
                                     "\r\033[38;5;174m\\ Thinking... (esc to interrupt)\033[0m  "};
  const struct timespec tenth = {0, 100000000};
  for (unsigned i = 0;; i = (i + 1) % 4) {
    if (write(1, frames[i], 52) < 0) return 1;
    nanosleep(&tenth, 0);
  }
}
