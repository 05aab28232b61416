#pragma once
// For tests: a folder of one's own, gone with the object.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace pawl {

class TestDir {
 public:
  explicit TestDir(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    path_ = (parent / "pawl-test-XXXXXX").string();
    if (!::mkdtemp(path_.data())) std::abort();
  }
  ~TestDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  // For thousands of small files: where writing to disk costs nothing, if there is such a place.
  static std::filesystem::path memory() {
    std::error_code none;
    return std::filesystem::is_directory("/dev/shm", none) ? std::filesystem::path("/dev/shm")
                                                           : std::filesystem::temp_directory_path();
  }
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace pawl
