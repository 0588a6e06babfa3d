//===- SameKernels.cpp - kernels of a file that are one but for names -----------------------------------===//
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace appyc::target {

std::pair<std::string, std::vector<size_t>> withoutNames(const KernelCode& code) {
  cxx::Function kernel = *code.function.as<cxx::Function>();
  const std::vector<cxx::Parameter> params = std::exchange(kernel.params, {});
  std::map<std::string, size_t> places{{kernel.name, 0}}, numbers;
  for (const cxx::Parameter& p : params) numbers.emplace(p.name, numbers.size());
  const std::string text = cxx::print(cxx::Unit{{cxx::decl(kernel)}});
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result;
  std::vector<size_t> order;
  for (size_t i = 0, end = 0; i < text.size(); i = end) {
    end = text.compare(i, 2, "//") == 0 ? std::min(text.find('\n', i), text.size()) : i + 1;
    if (end > i + 1) continue;
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      if (!result.ends_with(' ')) result += ' ';
      continue;
    }
    while (isWord(text[i]) && end < text.size() && isWord(text[end])) ++end;
    const std::string word = text.substr(i, end - i);
    if (result.ends_with('.')) { // threadIdx.x
      result += word;
      continue;
    }
    const auto number = numbers.find(word);
    if (code.locals.contains(word) || number != numbers.end())
      if (places.emplace(word, places.size()).second && number != numbers.end())
        order.push_back(number->second);
    const auto place = places.find(word);
    result += place == places.end() ? word : fmt::format("${}", place->second);
  }
  for (const auto& [name, number] : numbers) // of which the text says nothing
    if (!places.contains(name)) order.push_back(number);
  for (const size_t i : order) {
    const cxx::Type& type = params[i].type;
    result += fmt::format(" {}{}{}{}", type.isConst, type.name, type.isPointer, type.isRestrict);
  }
  return {result, order};
}

} // namespace appyc::target
