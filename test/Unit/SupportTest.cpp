//===- SupportTest.cpp - places, symbols, diagnostics -----------------------------------------------===//
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Spelling.h"
#include "appyc/Support/Symbol.h"
#include "appyc/Support/Utf8.h"
#include <catch2/catch.hpp>

using namespace appyc;

namespace {
Span spanOf(const Source& source, std::string_view text) {
  const size_t at = source.text().find(text);
  REQUIRE(at != std::string_view::npos);
  return {static_cast<uint32_t>(at), static_cast<uint32_t>(at + text.size())};
}

std::string renderOne(const Source& source, Span where) {
  Diagnostics diag;
  diag.report(DiagId::Syntax, where, "message");
  return renderText(diag, source, false, false);
}
} // namespace

TEST_CASE("lines and columns count from 1, in bytes", "[support]") {
  const Source source("f.py", "ab\r\ncd\n");
  CHECK(source.lineCount() == 3);
  CHECK(source.line(1) == "ab");
  CHECK(source.line(2) == "cd");
  CHECK(source.line(3).empty());
  CHECK(source.line(99).empty());
  CHECK(source.position(4).line == 2);
  CHECK(source.position(5).column == 2);
  CHECK(source.position(999).line == 3);
  CHECK(source.text({1, 999}) == "b\r\ncd\n");
  CHECK(Source("e.py", "").position(0).line == 1);
}

TEST_CASE("symbols with one hint differ unless copied", "[support]") {
  const Symbol a("i"), b("i");
  const Symbol copy = a;
  CHECK(a != b);
  CHECK(a == copy);
  CHECK(a < b);
  CHECK(b.hint() == "i");
  CHECK(!Symbol());
}

TEST_CASE("a misspelt word finds the nearest name", "[support]") {
  CHECK(nearestName("paralel", {"simd", "parallel"}) == "parallel");
  CHECK(nearestName("f46", {"f32", "f64"}) == "f64");
  CHECK(!nearestName("ndarray", {"f32", "float64"}));
  CHECK(!nearestName("x", {"y"}));
  CHECK(!nearestName("", {"a"}));
}

TEST_CASE("a near name that may be another thing is no suggestion", "[support]") {
  CHECK(likelyMeant("maximun", {"minimum", "maximum"}) == "maximum");
  CHECK(likelyMeant("ndarray.summ", {"ndarray.sum"}) == "ndarray.sum");
  CHECK(likelyMeant("numpy.random.rnad", {"numpy.random.rand"}) == "numpy.random.rand");
  CHECK(!likelyMeant("numpy.argmin", {"numpy.argmax"}));
  CHECK(likelyMeant("maxmum", {"minimum", "maximum"}) == "maximum");
  CHECK(likelyMeant("arnage", {"arange"}) == "arange");
  CHECK(likelyMeant("linspaace", {"linspace"}) == "linspace");
  CHECK(!likelyMeant("sort", {"sqrt"}));
  CHECK(!likelyMeant("median", {"mean"}));
  CHECK(!likelyMeant("sinc", {"sin"}));
  CHECK(!likelyMeant("numpy.sinc", {"numpy.sin"}));
  CHECK(!likelyMeant("interp", {"invert"}));
  CHECK(!likelyMeant("arctan", {"arctan2"}));
  CHECK(!likelyMeant("zeros", {"zeros"}));
}

TEST_CASE("characters of UTF-8", "[support]") {
  CHECK(characterLength("a") == 1);
  CHECK(characterLength("\u00e9") == 2);
  CHECK(characterLength("\xC3") == 0);
  CHECK(characterLength("\xC0\x80") == 0);
  CHECK(characterLength("\xED\xA0\x80") == 0);
  CHECK(codePoint("\u20ac") == 0x20AC);
}

TEST_CASE("the same report at the same place is kept once", "[support]") {
  Diagnostics diag;
  diag.report(DiagId::Syntax, {1, 2}, "once").note({0, 1}, "here");
  diag.report(DiagId::Syntax, {1, 2}, "once").note({0, 1}, "again");
  diag.report(DiagId::Syntax, {2, 3}, "once");
  REQUIRE(diag.all().size() == 2);
  CHECK(diag.all()[0].notes.size() == 1);
  CHECK(diag.errorCount() == 2);
}

TEST_CASE("rollback forgets what was reported since", "[support]") {
  Diagnostics diag;
  diag.report(DiagId::Assumed, {0, 1}, "remark");
  const size_t mark = diag.mark();
  diag.report(DiagId::Syntax, {0, 1}, "error");
  CHECK(diag.hasErrors());
  diag.rollback(mark);
  CHECK(!diag.hasErrors());
  CHECK(diag.all().size() == 1);
}

TEST_CASE("policy switches remarks off or makes them errors, but never silences an error", "[support]") {
  Diagnostics::Policy policy;
  policy.disabled = {DiagId::Assumed, DiagId::Syntax};
  policy.asError = {DiagId::Performance};
  Diagnostics diag(policy);
  diag.report(DiagId::Assumed, {0, 1}, "gone");
  diag.report(DiagId::Performance, {0, 1}, "now an error");
  diag.report(DiagId::Syntax, {0, 1}, "stays");
  REQUIRE(diag.all().size() == 2);
  CHECK(diag.errorCount() == 2);
}

TEST_CASE("the table of kinds is found by id", "[support]") {
  CHECK(diagnosticNamed("loop-carried") == DiagId::LoopCarried);
  CHECK(!diagnosticNamed("nonsense"));
  for (const DiagId id : allDiagnostics()) CHECK(diagnosticNamed(info(id).name) == id);
}

TEST_CASE("text form: place, id, caret and range, note, fix", "[support]") {
  const Source source("k.py", "def f():\n    paralel = x\n");
  Diagnostics diag;
  diag.report(DiagId::UnknownPragma, spanOf(source, "paralel"), "unknown word")
      .note(spanOf(source, "def"), "in here")
      .replaceWith(spanOf(source, "paralel"), "parallel");
  CHECK(renderText(diag, source, false, false) == "k.py:2:5: error: unknown word [unknown-pragma]\n"
                                                  "    paralel = x\n"
                                                  "    ^~~~~~~\n"
                                                  "    parallel\n"
                                                  "k.py:1:1: note: in here\n"
                                                  "def f():\n"
                                                  "^~~\n");
}

TEST_CASE("a fix in another line or that removes text becomes a note", "[support]") {
  const Source source("k.py", "a\nb c\n");
  Diagnostics diag;
  diag.report(DiagId::Syntax, {0, 1}, "first").replaceWith({2, 3}, "d");
  diag.report(DiagId::Syntax, {4, 5}, "second").replaceWith({4, 5}, "");
  const std::string text = renderText(diag, source, false, false);
  CHECK(text.find("k.py:2:1: note: write `d`\n") != std::string::npos);
  CHECK(text.find("k.py:2:3: note: remove `c`\n") != std::string::npos);
}

TEST_CASE("carets stand below tabs, wide and malformed characters", "[support]") {
  const Source tab("k.py", "\tx = y\n");
  CHECK(renderOne(tab, spanOf(tab, "y")) ==
        "k.py:1:6: error: message [syntax]\n        x = y\n            ^\n");
  const Source accent("k.py", "\u00e9 = y\n");
  CHECK(renderOne(accent, spanOf(accent, "y")) == "k.py:1:6: error: message [syntax]\n\u00e9 = y\n    ^\n");
  const Source wide("k.py", "\u6570 = y\n");
  CHECK(renderOne(wide, spanOf(wide, "y")) == "k.py:1:7: error: message [syntax]\n\u6570 = y\n     ^\n");
  const Source bytes("k.py", "\xFF\x01y\n");
  CHECK(renderOne(bytes, spanOf(bytes, "y")) == "k.py:1:3: error: message [syntax]\n<FF><01>y\n        ^\n");
}

TEST_CASE("ranges end with their line, long lines are cut around the caret", "[support]") {
  const Source lines("k.py", "if a:  \n    b\n");
  CHECK(renderOne(lines, {0, 13}) == "k.py:1:1: error: message [syntax]\nif a:\n^~~~~\n");
  const Source source("k.py", std::string(500, 'a') + "HERE" + std::string(500, 'b'));
  const std::string text = renderOne(source, {500, 504});
  CHECK(text.find("...aaaa") != std::string::npos);
  CHECK(text.find("bbbb...\n") != std::string::npos);
  const size_t line = text.find("...aaaa"), marks = text.find('\n', line) + 1;
  CHECK(text.find("HERE") - line == text.find("^~~~") - marks);
  CHECK(renderOne(source, {0, 1004}).size() < 400);
}

TEST_CASE("a report on the whole file shows no line; places past the end do no harm", "[support]") {
  const Source source("k.py", "a\n");
  CHECK(renderOne(source, {}) == "k.py:1:1: error: message [syntax]\n");
  CHECK(renderOne(source, {70, 90}).starts_with("k.py:2:1: error"));
  const Source empty("k.py", "");
  CHECK(renderOne(empty, {0, 0}) == "k.py:1:1: error: message [syntax]\n");
}

TEST_CASE("reports come in the order of the source; remarks on demand", "[support]") {
  const Source source("k.py", "a\nb\n");
  Diagnostics diag;
  diag.report(DiagId::Syntax, {2, 3}, "second");
  diag.report(DiagId::Assumed, {0, 1}, "first");
  CHECK(renderText(diag, source, false, false).find("first") == std::string::npos);
  const std::string all = renderText(diag, source, false, true);
  CHECK(all.find("remark: first [assumed]") < all.find("error: second"));
  CHECK(renderText(diag, source, true, true).find("\x1b[") != std::string::npos);
  CHECK(all.find('\x1b') == std::string::npos);
}

TEST_CASE("JSON form", "[support]") {
  const Source source("k\"1.py", "a\nbc\n");
  Diagnostics diag;
  CHECK(renderJson(diag, source, true) == "[]\n");
  diag.report(DiagId::Syntax, {2, 4}, "say \"x\"\xFF").note({0, 1}, "n").replaceWith({2, 3}, "d");
  CHECK(renderJson(diag, source, true) ==
        "[\n  {\"file\": \"k\\\"1.py\", \"line\": 2, \"column\": 1, \"endLine\": 2, \"endColumn\": 3, "
        "\"severity\": \"error\", \"id\": \"syntax\", \"message\": \"say \\\"x\\\"\uFFFD\", "
        "\"notes\": [{\"line\": 1, \"column\": 1, \"endLine\": 1, \"endColumn\": 2, \"message\": \"n\"}], "
        "\"fix\": {\"line\": 2, \"column\": 1, \"endLine\": 2, \"endColumn\": 2, \"replacement\": "
        "\"d\"}}\n]\n");
}
