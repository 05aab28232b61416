#pragma once
// For tests: is this build one with a sanitizer? Everything takes ten times as long there, and a part of the rounds has to do.

namespace pawl {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++ says it so
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)  // … and clang so
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace pawl
