//===- DriverTest.cpp - output files, input texts, commands, conflicts of options ---------------------===//
#include "appyc/Driver/Driver.h"
#include "../../lib/Driver/Inputs/Input.h"
#include "../../lib/Driver/Results/Command.h"
#include "../../lib/Driver/Results/Outputs.h"
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace appyc;
using namespace appyc::driver;
namespace fs = std::filesystem;

namespace {
/// A folder that goes with the test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "appyc-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  size_t count() const { return static_cast<size_t>(std::distance(fs::directory_iterator(path), {})); }
};
void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
std::string get(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string problemOf(const std::string& text) {
  Folder folder;
  put(folder / "k.py", text);
  Options options;
  options.input = folder / "k.py";
  Diagnostics diag;
  readInput(options, diag);
  return diag.all().empty() ? "" : diag.all().front().text;
}
} // namespace

TEST_CASE("files are written whole, and only when they change") {
  Folder folder;
  CHECK(writeFiles({{folder / "a", "one"}, {folder / "b", "two"}}).empty());
  CHECK(get(folder / "a") == "one");
  const auto old = fs::last_write_time(folder / "a") - std::chrono::hours(1);
  fs::last_write_time(folder / "a", old);
  CHECK(writeFiles({{folder / "a", "one"}, {folder / "b", "three"}}).empty());
  CHECK(fs::last_write_time(folder / "a") == old);
  CHECK(get(folder / "b") == "three");
  CHECK(folder.count() == 2);
}

TEST_CASE("a failure leaves everything as it was") {
  Folder folder;
  put(folder / "a", "old");
  CHECK(has(writeFiles({{folder / "a", "new"}, {folder / "none/b", "new"}}), "No such file or directory"));
  CHECK(get(folder / "a") == "old");
  fs::create_directory(folder / "c");
  CHECK(has(writeFiles({{folder / "a", "new"}, {folder / "c", "new"}}), "Is a directory"));
  CHECK(has(writeFiles({{folder / "a", "new"}, {"/dev/full", "new"}}), "No space left"));
  CHECK(get(folder / "a") == "old");
  CHECK(folder.count() == 2);
}

TEST_CASE("links and modes are kept") {
  Folder folder;
  put(folder / "real", "old");
  fs::permissions(folder / "real", fs::perms::owner_all);
  fs::create_symlink("real", folder / "link");
  CHECK(writeFiles({{folder / "link", "new"}}).empty());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(get(folder / "real") == "new");
  CHECK(fs::status(folder / "real").permissions() == fs::perms::owner_all);
}

TEST_CASE("differences are shown from the first to the last") {
  Folder folder;
  put(folder / "a", "1\n2\n3\n4\n5\n");
  CHECK(differences({{folder / "a", "1\n2\n3\n4\n5\n"}}).empty());
  CHECK(has(differences({{folder / "a", "1\n2\n3\nfour\n5\n"}}), "@@ -2,3 +2,3 @@\n 2\n 3\n-4\n+four\n"));
  CHECK(has(differences({{folder / "b", "1\n"}}), "(missing)"));
}

TEST_CASE("what is no text is refused") {
  CHECK(problemOf("x = 'é€😀'\n").empty());
  CHECK(problemOf("\xef\xbb\xbfx = 1\n").empty());
  CHECK(problemOf("").empty());
  CHECK(problemOf(std::string("a\0b", 3)) == "the file contains a NUL byte");
  for (const char* bad : {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    CHECK(problemOf(bad) == "the file is not valid UTF-8");
}

TEST_CASE("paths and words") {
  CHECK(baseName("a/b/k.py") == "k.py");
  CHECK(withoutSuffix("a.b/k") == "a.b/k");
  CHECK(withoutSuffix("a/k.tar.py") == "a/k.tar");
  CHECK(withoutSuffix("a/.hidden") == "a/.hidden");
  CHECK(shellWord("plain-1.py") == "plain-1.py");
  CHECK(shellWord("it's") == "'it'\\''s'");
  CHECK(shellWord("") == "''");
  CHECK(printable("a\nb") == "a?b");
}

TEST_CASE("the command in the files does not depend on folders") {
  Options options;
  options.input = "/home/me/k.py";
  options.output = "out/k.cpp";
  options.target = "cpu";
  options.signatures = {"f(f64[N])"};
  options.fmad = false;
  CHECK(commandText(options) == "appyc k.py --target=cpu '--signature=f(f64[N])' --fmad=off");
  options.output = "out/other.cpp";
  CHECK(has(commandText(options), " -o other.cpp"));
  CHECK(has(buildLine(options, {"k.cpp", "k"}, {}, {}),
            "-ffp-contract=off -fopenmp -std=c++17 -shared -fPIC k.cpp -o libk.so"));
}

TEST_CASE("the input is never overwritten") {
  Folder folder;
  put(folder / "k.py", "");
  Options options;
  options.input = folder / "k.py";
  options.output = folder / "./k.py";
  CHECK(has(findConflict(options), "would overwrite the input"));
  options.output = folder / "k.cu";
  CHECK(findConflict(options).empty());
  options.wrapper = folder / "k.py";
  CHECK(has(findConflict(options), "would overwrite the input"));
  options.wrapper = folder / "k.cu";
  CHECK(has(findConflict(options), "two outputs"));
}

TEST_CASE("required passes stay") {
  Options options;
  options.input = "k.py";
  options.disabledPasses = {"fuse-loops"};
  CHECK(findConflict(options).empty());
  options.disabledPasses = {"lower-to-loops"};
  CHECK(has(findConflict(options), "required"));
}
