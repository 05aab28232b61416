# What tests are made of is compiled often and runs once: optimizing it would take a third of a cold build.
function(pawl_hardly_optimized target)
  target_compile_options(${target} PRIVATE -O0 -U_FORTIFY_SOURCE)
endfunction()

# pawl_layer(NAME SOURCES a.cpp … [DEPENDS layer …] [LINK lib …])
#   makes the static library pawl_NAME from src/NAME.
#   Every *_test.cpp of the folder and its rooms, two levels deep, becomes the test binary NAME_tests: a test file cannot be forgotten.
function(pawl_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;DEPENDS;LINK;TEST_LINK" ${ARGN})
  add_library(pawl_${name} STATIC ${L_SOURCES})
  target_include_directories(pawl_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM L_DEPENDS PREPEND pawl_)
  target_link_libraries(pawl_${name} PUBLIC ${L_DEPENDS} ${L_LINK})
  if(PAWL_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*/*_test.cpp
      ${CMAKE_CURRENT_SOURCE_DIR}/*/*/*_test.cpp)
    if(tests)
      add_executable(${name}_tests ${tests})
      target_link_libraries(${name}_tests PRIVATE pawl_${name} pawl_source_dir ${L_TEST_LINK} GTest::gtest_main)
      pawl_hardly_optimized(${name}_tests)
      gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
    endif()
  endif()
endfunction()
