# What tests are made of is compiled often and runs once: optimizing it would take a third of a cold build.
function(pawl_hardly_optimized target)
  target_compile_options(${target} PRIVATE -O0 -U_FORTIFY_SOURCE)
endfunction()

# pawl_together(OUT NAME COUNT source …): sources of src/, COUNT of them in one. What they include, and the worlds of tests that are
# made anew in each of them, are then compiled once for all of them. The paths are those of src/: the compiler cache serves every clone.
# Only with PAWL_TOGETHER; without it each source stands alone, and what it does not include is missing.
function(pawl_together out name count)
  if(NOT PAWL_TOGETHER)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(sources ${ARGN})
  list(LENGTH sources left)
  math(EXPR parts "(${left} + ${count} - 1) / ${count}")  # of about the same size
  set(gathered)
  while(parts GREATER 0)
    math(EXPR some "(${left} + ${parts} - 1) / ${parts}")
    set(text "")
    foreach(i RANGE 1 ${some})
      list(POP_FRONT sources source)
      file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${source})
      string(APPEND text "#include \"${path}\"\n")
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${parts}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)  # only when it differs
    list(APPEND gathered ${file})
    math(EXPR left "${left} - ${some}")
    math(EXPR parts "${parts} - 1")
  endwhile()
  set(${out} ${gathered} PARENT_SCOPE)
endfunction()

# pawl_layer(NAME SOURCES a.cpp … [ALONE b.cpp …] [DEPENDS layer …] [LINK lib …] [TESTS_TOGETHER count])
#   makes the static library pawl_NAME from src/NAME. Six sources are compiled as one, which halves what a whole build costs; names that
#   two of them have do not compile: they are to differ, or to be one. ALONE: those that keep names of their own, or need other flags.
#   Every *_test.cpp of the folder and its rooms, two levels deep, becomes the test binary NAME_tests: a test file cannot be forgotten.
#   TESTS_TOGETHER: so many test sources are compiled as one. Names that two of them have do not compile: they are to differ.
function(pawl_layer name)
  cmake_parse_arguments(L "" "TESTS_TOGETHER" "SOURCES;ALONE;DEPENDS;LINK;TEST_LINK" ${ARGN})
  list(TRANSFORM L_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  pawl_together(sources ${name} 6 ${L_SOURCES})
  add_library(pawl_${name} STATIC ${sources} ${L_ALONE})
  target_include_directories(pawl_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM L_DEPENDS PREPEND pawl_)
  target_link_libraries(pawl_${name} PUBLIC ${L_DEPENDS} ${L_LINK})
  if(PAWL_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*/*_test.cpp
      ${CMAKE_CURRENT_SOURCE_DIR}/*/*/*_test.cpp)
    if(tests)
      if(L_TESTS_TOGETHER)
        pawl_together(tests ${name}_tests ${L_TESTS_TOGETHER} ${tests})
      endif()
      add_executable(${name}_tests ${tests})
      target_link_libraries(${name}_tests PRIVATE pawl_${name} pawl_source_dir ${L_TEST_LINK} GTest::gtest_main)
      pawl_hardly_optimized(${name}_tests)
      gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
    endif()
  endif()
endfunction()
