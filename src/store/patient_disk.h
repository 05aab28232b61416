#pragma once
// A disk of which a part may not answer. A folder of a user's or an agent's may be on a mount whose server is gone, and then every look
// at it hangs for ever; the daemon must not. So all that lies outside Pawl's own home is asked for by a messenger, who has two seconds
// (os/errand.h). What did not answer is not asked again until that messenger, or a later one, is back:
//
//   look()      says what was known last: a PAUSE that cannot be seen is not gone
//   others      an error, "… does not answer", or nothing, as if it could not be read
//   answers()   false, so that somebody can be told (store/unreadable.h)
//
// A whole mount is silent at once, so a hundred agents on it cost two seconds and not two hundred.

#include <functional>
#include <map>
#include <memory>

#include "os/errand.h"
#include "store/disk.h"

namespace pawl::store {

// Who goes there: threads on a machine, and somebody without them in a made-up world.
class Messengers {
 public:
  virtual ~Messengers() = default;
  // Null: the errand is done.
  virtual std::shared_ptr<const os::Late> run(const std::string& path,
                                              std::function<void()> errand) = 0;
  // What is silent when this path is.
  virtual std::string place_of(const std::string& path) = 0;
};

// On the machine's own disk. `home`: its mount is never given up as a whole.
std::unique_ptr<Messengers> machine_messengers(const std::string& home,
                                               Duration limit = std::chrono::seconds{2});

class PatientDisk : public Disk {
 public:
  // Errands keep `below` alive: they may outlive this.
  PatientDisk(std::shared_ptr<Disk> below, std::string home,
              std::unique_ptr<Messengers> messengers);
  ~PatientDisk() override;

  bool answers(const std::string& path) override;

  std::optional<Entry> look(const std::string& path, bool follow) override;
  std::vector<std::string> list_dir(const std::string& path) override;
  Result<std::string> read(const std::string& path, size_t limit) override;
  std::string read_slice(const std::string& path, uint64_t offset, size_t limit) override;
  Done write_atomically(const std::string& path, std::string_view text) override;
  Done write_in_place(const std::string& path, std::string_view text) override;
  Result<std::unique_ptr<Appender>> open_append(const std::string& path) override;
  bool touch(const std::string& path) override;
  void set_modified(const std::string& path, WallTime time) override;
  Done make_private_dir(const std::string& path) override;
  Result<std::string> make_unique_dir(const std::string& prefix) override;
  bool move_file(const std::string& from, const std::string& to) override;
  Done move_anywhere(const std::string& from, const std::string& to) override;
  bool remove_file(const std::string& path) override;
  Done remove_tree(const std::string& path) override;
  Result<Space> space(const std::string& path) override;

  bool keeps_recordings() const override { return below_->keeps_recordings(); }
  std::optional<os::MemoryUse> memory_use() override { return below_->memory_use(); }
  MemoryStory memory_story(std::optional<int64_t> pid) override {
    return below_->memory_story(pid);
  }
  std::vector<std::string> own_environment() override { return below_->own_environment(); }

 private:
  template <class Answer>
  using Question = std::function<Answer(Disk&)>;
  // `otherwise`: when there is none in time.
  template <class Answer>
  Answer ask(const std::string& path, Answer otherwise, Question<Answer> question);
  template <class Answer>
  Answer ask(const std::string& path, const std::string& other, Answer otherwise,
             Question<Answer> question);
  bool own(const std::string& path) const;

  const std::shared_ptr<Disk> below_;
  const std::string home_;
  const std::unique_ptr<Messengers> messengers_;
  std::map<std::string, std::shared_ptr<const os::Late>> silent_;  // places, and who is still there
  std::map<std::pair<std::string, bool>, std::optional<Entry>>
      looked_;  // outside, what was seen last
};

// What is said of a path that does not answer.
Error no_answer(const std::string& path);

// The machine's own.
std::unique_ptr<Disk> machine_disk(const std::string& home);

}  // namespace pawl::store
