"""Planted violations for `tools/tidy --self-test`: each must be found, and the clean tree must pass."""

HEADER = "#pragma once\nstruct A {\n  int a = 0;\n};\n"
TEST = '#include "os/a.h"\nTEST(A, B) {\n  EXPECT_EQ(1, 1);\n}\n'
CLEAN = {
    "src/os/a.h": HEADER,
    "src/os/a.cpp": '#include "os/a.h"\n#include "base/b.h"\nvoid f() {\n  g("sleep(1) rand()");  // std::thread\n}\n',
    "src/os/a_test.cpp": TEST,
    "src/os/clock.cpp": "long now() {\n  return clock_gettime(1);\n}\n",
    "src/host/holder/main.cpp": "long now() {\n  return clock_gettime(1);\n}\n",
    "src/model/json.h": "#pragma once\n#include <nlohmann/json_fwd.hpp>\n",
    "test/e2e/run_test.py": "import helper\n",
    "test/e2e/helper.py": "pass\n",
}
COMPILED = {"src/os/a_test.cpp"}
RUN = {"test/e2e/run_test.py"}


def long_function(lines, name="f"):
    return f"int {name}() {{\n" + "  step();\n" * (lines - 2) + "}\n"


# name: files added to the clean tree, what must be in the one finding ("" for none), and the allow file
CASES = {
    "a layer upwards": ({"src/base/x.cpp": '#include "os/a.h"\n'}, "[include] base may not include os/a.h"),
    "api looks behind the face": ({"src/api/x.cpp": '#include "core/inside.h"\n'}, "[include] api sees core only by its face"),
    "api sees the face": ({"src/api/x.cpp": '#include "core/face.h"\n'}, ""),
    "angle brackets hide nothing": ({"src/term/x.cpp": "#include <os/a.h>\n"}, "[include] term may not include"),
    "a new folder": ({"src/extra/x.cpp": "int a;\n"}, "[include] src/extra has no row"),
    "a header without its layer": ({"src/os/x.cpp": '#include "a.h"\n'}, "[include] \"a.h\""),
    "clock": ({"src/core/x.cpp": "auto t = std::chrono::steady_clock::now();\n"}, ":1: [clock] steady_clock"),
    "clock in a test": ({"src/core/x.h": "#pragma once\nlong t = time(nullptr);\n"}, ":2: [clock] time(nullptr)"),
    "clock of libuv": ({"src/daemon/x.cpp": "auto t = uv_now(loop);\n"}, "[clock] uv_now"),
    "chance": ({"src/core/x.cpp": "int i = rand() % 6;\n"}, "[forbidden] rand("),
    "thread": ({"src/core/x.cpp": "std::thread t;\n"}, "[forbidden] std::thread"),
    "shared_ptr": ({"src/core/x.cpp": "std::shared_ptr<A> a;\n"}, "[forbidden] shared_ptr"),
    "regex": ({"src/core/x.cpp": "std::regex a;\n"}, "[forbidden] std::regex"),
    "sleep": ({"src/core/x.cpp": "void f() {\n  usleep(5);\n}\n"}, ":2: [forbidden] usleep"),
    "sleep in a test": ({"test/x.cpp": "void f() {\n  std::this_thread::sleep_for(s);\n}\n"}, "[forbidden] sleep_for"),
    "bools in a row": ({"src/core/x.cpp": "void f() {\n  g(1, true,\n    false);\n}\n"}, ":2: [bools] true,"),
    "bools in a test": ({"src/core/test_x.h": "#pragma once\nA a{true, false};\n"}, ""),
    "a default over an enum": ({"src/core/x.cpp": "void f() {\n  switch (a) {\n    case A::b:\n      break;\n    default:\n"
                                                  "      break;\n  }\n}\n"}, ":5: [default]"),
    "a default over numbers": ({"src/core/x.cpp": "void f() {\n  switch (a) {\n    case wire::kB:\n      break;\n"
                                                  "    default:\n      break;\n  }\n}\n"}, ""),
    "a test nobody compiles": ({"src/os/deep/x_test.cpp": TEST}, "[tests] is compiled by nothing"),
    "a case nobody runs": ({"test/e2e/lost_test.py": "pass\n"}, "[tests] is run by no test"),
    "a test without assertion": ({"src/os/a_test.cpp": "TEST(A, B) {\n  f();\n}\n"}, "TEST(A,B) asserts nothing"),
    "a helper asserts": ({"src/os/a_test.cpp":
                          "void inner() {\n  EXPECT_EQ(1, 1);\n}\nvoid outer() {\n  inner();\n}\n"
                          "TEST(A, B) {\n  outer();\n}\n"}, ""),
    "an assertion in a comment": ({"src/os/a_test.cpp": "TEST(A, B) {\n  // EXPECT_EQ\n}\n"}, "asserts nothing"),
    "a long file": ({"src/os/x.cpp": "int a;\n" * 401}, "[length] the file has 401 lines, 400 are allowed"),
    "a long file, allowed": ({"src/os/x.cpp": "int a;\n" * 401}, "", "src/os/x.cpp 410 a table"),
    "a long file, past its exception": ({"src/os/x.cpp": "int a;\n" * 411}, "has 411 lines, 410",
                                        "src/os/x.cpp 410 a table"),
    "a file that shrank": ({"src/os/x.cpp": "int a;\n" * 401}, "lower the exception", "src/os/x.cpp 500 a table"),
    "an exception nobody needs": ({}, "[allow] src/os/a.cpp does not need", "src/os/a.cpp 500 a table"),
    "an exception without reason": ({}, "[allow] wants a path", "src/os/a.cpp 500"),
    "a rule off, with reason": ({"src/core/x.cpp": "std::thread t;\n"}, "", "src/core/x.cpp forbidden a worker"),
    "a long function": ({"src/os/x.cpp": "namespace a {\n" + long_function(71) + "}\n"}, ":2: [length] f has 71"),
    "a long function, allowed": ({"src/os/x.cpp": long_function(80)}, "", "src/os/x.cpp f=80 a table"),
    "a long method": ({"src/os/x.h": "#pragma once\nclass A : B {\n" + long_function(71) + "};\n"}, "f has 71"),
    "a long constructor": ({"src/os/x.cpp": "A::A(B b) : b_{b}, c_(1) {\n" + "  x();\n" * 70 + "}\n"}, "A has 72"),
    "a long table is no function": ({"src/os/x.cpp": "const Row rows[] = {\n" + "    {1, f(2)},\n" * 90 + "};\n"}, ""),
    "braces in literals": ({"src/os/x.cpp": "int f() {\n  return g('{', \"{\", R\"({)\", 1'000);\n}\n"
                            + long_function(70, "h")}, ""),
    "blanks": ({"doc/x.md": "a \n"}, ":1: [space] blanks"),
    "tab": ({"src/os/x.cpp": "\tint a;\n"}, "[space] a tab"),
    "no last newline": ({"src/os/x.cpp": "int a;"}, "[space] no newline"),
    "mark": ({"src/os/x.cpp": "// TO" + "DO later\n"}, "[marks]"),
    "machine path": ({"test/x.py": "open('/" + "work/x')\n"}, "[paths]"),
    "machine path in data": ({"test/usage/x.jsonl": "{\"command\": \"'/" + "work/x'\"}"}, "[paths]"),
    "data has its own form": ({"test/usage/x.jsonl": "{} \t"}, ""),
    "heavy header": ({"src/model/x.h": "#pragma once\n#include <nlohmann/json.hpp>\n"}, ":2: [heavy] nlohmann"),
    "heavy header in a source": ({"src/model/x.cpp": "#include <toml++/toml.h>\n"}, ""),
    "no pragma": ({"src/os/x.h": "int a;\n"}, "[header] no #pragma once"),
}


def run(tidy):
    failed = 0
    for name, (files, wanted, *allow) in {"the clean tree": ({}, ""), **CASES}.items():
        problems = tidy({**CLEAN, **files}, COMPILED, RUN, *allow).check()
        good = len(problems) == 1 and wanted in problems[0] if wanted else not problems
        if not good:
            failed += 1
            print(f"tidy: {name}: wanted {wanted or 'nothing'!r}, found {problems}")
    print(f"tidy: {len(CASES) + 1} cases, {failed} failed")
    return 1 if failed else 0
