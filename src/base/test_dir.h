#pragma once
// For tests: a folder of one's own, gone with the object.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace pawl {

class TestDir {
 public:
  TestDir() {
    path_ = (std::filesystem::temp_directory_path() / "pawl-test-XXXXXX").string();
    if (!::mkdtemp(path_.data())) std::abort();
  }
  ~TestDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace pawl
