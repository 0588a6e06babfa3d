//===- Support.h - the support code of generated programs, section by section --------------------------===//
#pragma once
#include "OwnFunctions.h"
#include "Tables.h"
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace appyc::target {

/// Where a section stands in the file. Entries take and give `Types`; a function whose type names a member of
/// the unnamed namespace would not be visible outside, `extern "C"` or not.
enum class Placing { Types, Hidden, Entries };

/// Collects which sections of Runtime/ a file needs. See Runtime/README.md for their form.
class Support {
public:
  /// `prefix` begins the names of what the file exports.
  Support(bool cuda, std::string prefix) : tables(cuda), cuda_(cuda), prefix_(std::move(prefix)) {}
  /// Asks for the section that defines `name`, and for what it needs.
  void use(std::string_view name);
  bool uses(std::string_view name) const;
  /// The sections asked for that stand at `place`, in the order of their files.
  std::vector<std::string> text(Placing place) const;
  /// Headers that they include.
  std::vector<std::string> headers() const;
  /// Macros by which a file asks for those of them that a shared header has on demand.
  std::vector<std::string> parts() const;
  /// Names that no variable or kernel of a generated file may have.
  static const std::set<std::string>& definedNames();

  Tables tables;                  ///< of the file's own constants
  OwnFunctions functions;         ///< of the user's, that expressions call
  std::vector<ir::Print> printed; ///< what its functions have Python print, by number
  /// A kernel that is written: its name, and its parameters in the order in which it names them.
  struct KernelText {
    std::string name;
    std::vector<size_t> order;
    bool takesIndex; ///< the type of its indices, as a template argument
  };
  std::map<std::string, KernelText> kernels; ///< by their text without names

private:
  bool cuda_;
  std::string prefix_;
  std::set<size_t> used_; ///< indices of sections
};

} // namespace appyc::target
