//===- Message.cpp - what a check at run time says, with the numbers at hand ----------------------------===//
#include "Message.h"
#include "appyc/IR/Rewrite.h"

namespace appyc::sema {

Message& Message::number(const Expr& number) {
  if (const std::optional<int64_t> known = ir::constantInt(number))
    parts_.push_back({std::to_string(*known), {}});
  else
    parts_.push_back({"", ir::cast(DType::I64, number)});
  return *this;
}

Message& Message::shape(const std::vector<Expr>& extents) {
  text("(");
  for (size_t d = 0; d < extents.size(); ++d) text(d ? ", " : "").number(extents[d]);
  return text(extents.size() == 1 ? ",)" : ")");
}

Message& Message::array(const Array& a) {
  const std::string name =
      a.view ? fmt::format("`{}{}`", a.view->buffer.name.hint(), a.view->whole ? "" : "[...]") : "an array";
  return text(name + " ").shape(a.shape);
}

bool Message::hasNumbers() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return bool(p.number); });
}

std::string Message::plain() const {
  std::string all;
  for (const Part& part : parts_) all += part.number ? "?" : part.text;
  return all;
}

ir::Require Message::check(Expr holds, std::string exception,
                           const std::function<bool(const Expr&)>& isKnown) const {
  std::vector<Expr> values;
  std::string format;
  for (const Part& part : parts_)
    if (part.number && isKnown(part.number) && !ir::readsMemory(part.number)) {
      values.push_back(part.number);
      format += "%lld";
    } else if (part.number) {
      format += "?";
    } else {
      for (const char c : part.text) format += c == '%' ? "%%" : std::string(1, c);
    }
  // Without values the message is no format.
  return {std::move(holds), std::move(exception), values.empty() ? plain() : std::move(format), values};
}

} // namespace appyc::sema
