//===- Outputs.h - writing files so that no failure leaves half of one --------------------------------===//
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace appyc::driver {

struct OutputFile {
  std::string path; ///< "-" is the standard output
  std::string text;
};

/// Of the file; nothing where it cannot be read.
std::optional<std::string> contents(const std::string& path);

/// Writes all files or none: each into a temporary file of its folder, then all are renamed. A file that has
/// the text already is not touched, unless `always`; what is no regular file (a device, a pipe) is written to directly.
/// Returns what went wrong, or "".
std::string writeFiles(const std::vector<OutputFile>&, bool always = false);

/// What differs between the files on disk and the texts, in the form of a unified diff's first differences;
/// empty when nothing does.
std::string differences(const std::vector<OutputFile>&);

/// Whether two paths name one file, existing or not.
bool isSameFile(const std::string& a, const std::string& b);

/// A file that exists and is neither a regular file nor a folder: /dev/null, a pipe.
bool isDevice(const std::string& path);

} // namespace appyc::driver
