#include "os/digest.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

TEST(Digest, OfAFileIsThatOfItsBytes) {
  const TestDir dir;
  const std::string path = dir.path() + "/file";
  for (const size_t size : {size_t{0}, size_t{1}, size_t{256} << 10, (size_t{256} << 10) + 1}) {
    const std::string bytes(size, 'x');
    ASSERT_TRUE(write_atomically(path, bytes));
    EXPECT_EQ(*sha256_of_file(path), hex(sha256(bytes))) << size;
  }
}

TEST(Digest, WhatIsNoFileIsRefused) {
  const TestDir dir;
  EXPECT_FALSE(sha256_of_file(dir.path() + "/nothing"));
  EXPECT_FALSE(sha256_of_file(dir.path()));
}

}  // namespace
}  // namespace pawl::os
