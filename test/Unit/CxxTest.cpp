//===- CxxTest.cpp - C++ trees as text ------------------------------------------------------------------===//
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include <catch2/catch.hpp>

using namespace appyc::cxx;

TEST_CASE("the printer writes the parentheses that are needed and no others") {
  const Expr a = name("a"), b = name("b"), c = name("c");
  CHECK(print(binary("*", binary("+", a, b), c)) == "(a + b) * c");
  CHECK(print(binary("+", binary("*", a, b), c)) == "a * b + c");
  CHECK(print(binary("-", a, binary("-", b, c))) == "a - (b - c)");
  CHECK(print(binary("-", binary("-", a, b), c)) == "a - b - c");
  CHECK(print(binary("-", a, number(-1))) == "a - (-1)");
  CHECK(print(unary("-", unary("-", a))) == "-(-a)");
  CHECK(print(cast("double", binary("+", a, b))) == "(double)(a + b)");
  CHECK(print(binary("||", binary("&&", a, b), c)) == "(a && b) || c");
  CHECK(print(binary("&", binary("==", a, b), c)) == "(a == b) & c");
  CHECK(print(ternary(a, b, ternary(b, a, c))) == "a ? b : b ? a : c");
  CHECK(print(member(binary("*", a, b), "re")) == "(a * b).re");
  CHECK(print(text("say \"hi\"\n")) == R"("say \"hi\"\n")");
}

TEST_CASE("long lines are broken at the outermost places") {
  std::vector<Expr> args;
  for (int i = 0; i < 20; ++i) args.push_back(name("argument_" + std::to_string(i)));
  const std::string text = print(evaluate(call("function", args)));
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    CHECK(end - begin <= static_cast<size_t>(lineWidth));
  CHECK(text.find(",\n    argument_") != std::string::npos);
}

TEST_CASE("bodies of one statement have no braces, an `else` keeps its `if`") {
  const Stmt one = assign(name("a"), number(1));
  CHECK(print(ifThen(name("c"), one)) == "if (c) a = 1;\n");
  CHECK(print(ifThen(name("c"), ifThen(name("d"), one), one)) ==
        "if (c) {\n  if (d) a = 1;\n} else {\n  a = 1;\n}\n");
  CHECK(print(ifThen(name("c"), one, ifThen(name("d"), one, one))) ==
        "if (c)\n  a = 1;\nelse if (d)\n  a = 1;\nelse\n  a = 1;\n");
}

TEST_CASE("declarations of one type share a line while they fit, also of variables that have no value yet") {
  const Type number_ = type("double"), pointer = pointerTo("double", false, false);
  const auto body = [](std::vector<Stmt> all) {
    return print(stmt(While{name("c"), stmt(Block{std::move(all)})}));
  };
  CHECK(body({declare(number_, "a", number(0)), declare(number_, "b", number(1))}) ==
        "while (c) {\n  double a = 0, b = 1;\n}\n");
  CHECK(body({declare(pointer, "p", name("x")), declare(pointer, "q", name("y"))}) ==
        "while (c) {\n  double *p = x, *q = y;\n}\n");
  CHECK(body({declareArray(number_, "a", 8), declareArray(type("float"), "f", 2),
              declareArray(number_, "b", 4)}) == "while (c) {\n  double a[8], b[4];\n  float f[2];\n}\n");
  CHECK(body({declare(constType("auto"), "a", name("x")), declare(constType("auto"), "b", name("y"))}) ==
        "while (c) {\n  const auto a = x;\n  const auto b = y;\n}\n");
}
