//===- CtypesFunction.cpp - the Python function of one entry --------------------------------------------===//
// Straight-line code: every argument becomes a number (an address or a scalar), sizes are read off the shapes
// and compared, results are made, and one C call does the work. What is not used in place goes through
// `copies`, empty in the fast path.
#include "PythonModule.h"
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Shapes.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace appyc::wrapper {

using namespace ir;

namespace {
class FunctionWriter {
public:
  FunctionWriter(PythonText& out, const Function& function, const Options& options,
                 const std::set<std::string>& reserved, bool modulePrints)
      : out_(out), function_(function), cuda_(options.cuda), modulePrints_(modulePrints),
        stem_(options.sourceName.substr(0, options.sourceName.rfind('.'))), reserved_(reserved),
        taken_(reserved) {
    for (const Param& param : function.params) {
      if (function.taken.empty() && param.drawn == Param::No)
        names_[param.name] = userName(param.name.hint(), reserved);
      hasArrays_ |= param.isArray;
      writes_ |= param.isArray && param.written;
    }
  }

  /// `arrays`: what takes them at once, where none is made; it stands before the function.
  void write(const std::string& name, const std::string& arrays, const std::vector<std::string>& parameters,
             const std::string& docstring) {
    taken_.insert(parameters.begin(), parameters.end());
    taken_.insert(arrays);
    takeParts();
    takeLocals();
    std::vector<std::string> all;
    for (const std::string& parameter : parameters) all.push_back(userName(parameter, reserved_));
    for (size_t k = 0; k < function_.defaults.size() && k < all.size(); ++k)
      all[all.size() - function_.defaults.size() + k] += "=" + function_.defaults[k];
    const auto named = all.end() - static_cast<std::ptrdiff_t>(std::min(function_.keywordOnly, all.size()));
    if (function_.keywordOnly > 0 || cuda_) all.insert(named, "*");
    if (cuda_) all.push_back(stream_ + "=None");
    const bool atOnce = cuda_ && hasArrays_ && !makesArrays();
    if (atOnce) writeWanted(arrays);
    out_.call(0, "def " + name, all, ":");
    if (!docstring.empty()) out_.line(1, docstring);
    out_.line(1, fmt::format("{} = _c or {}()", c_, modulePrints_ ? "_load_printing" : "_load"));
    if (hasArrays_ || cuda_) out_.line(1, fmt::format("{} = []", copies_));
    for (const std::string& line : apart_) out_.line(1, line);
    if (cuda_ && !atOnce) writeCaller();
    if (atOnce) writeArrays(arrays);
    writeArguments(atOnce);
    writeSizes();
    if (!function_.widened.empty()) writeWidened(name);
    writeChecks();
    writeResults();
    writeCall();
    writeReturn();
  }

private:
  std::string local(const std::string& hint) { return uniqueIdentifier(hint, taken_); }

  void takeLocals() {
    c_ = local("c");
    copies_ = local("copies");
    status_ = local("status");
    extents_ = local("extents");
    if (cuda_) {
      // The keyword is part of the interface: only a parameter of that name changes it.
      stream_ = local("stream");
      chosen_ = local("chosen");
      kind_ = local("kind");
      like_ = local("like");
      workspace_ = local("workspace");
      unused_ = local("unused");
    }
    for (const Param& param : function_.params)
      if (param.isArray) {
        data_[param.name] = local(param.name.hint() + "_data");
        shape_[param.name] = local(param.name.hint() + "_shape");
      }
    for (const Param& param : function_.params)
      if (param.drawn != Param::No) names_[param.name] = local(param.name.hint());
    for (const Size& size : function_.sizes) names_[size.name] = local(size.name.hint());
    for (const Result& result : function_.results)
      // A value returned twice is one object; a scalar parameter returned as it is keeps its name.
      if (result.kind != Result::Parameter && !data_.count(result.name)) {
        names_.emplace(result.name, local(result.name.hint()));
        data_[result.name] = local(result.name.hint() + "_data");
      }
  }

  /// Where parameters are found in what Python passes, in turn: `p_x = p.x`.
  void takeParts() {
    auto next = function_.params.begin();
    std::vector<std::string> records;
    const std::function<void(const Form&, const std::string&)> take = [&](const Form& form,
                                                                          const std::string& from) {
      if (form.kind == Form::Zipped) return takeApart(form, from, next);
      if (!form.parts.empty()) records.push_back(from);
      for (size_t k = 0; k < form.parts.size(); ++k)
        take(form.parts[k], form.kind == Form::Dict ? fmt::format("{}[{}]", from, keyText(form.keys[k]))
                                                    : from + "." + form.keys[k]);
      if (form.kind != Form::Value) return;
      const Symbol& name = (next++)->name;
      const bool isWhole = from.find_first_of(".[") == std::string::npos;
      names_[name] = isWhole ? from : local(name.hint());
      if (!isWhole) apart_.push_back(fmt::format("{} = {}", names_[name], from));
    };
    for (const Taken& taken : function_.taken) take(taken.form, takenName(taken.name, reserved_));
    std::set<std::string> changed;
    for (const GivenBack& given : function_.givenBack)
      changed.insert(takenName(given.param, reserved_) +
                     given.place.substr(0, given.place.rfind(given.place.ends_with(']') ? "[\"" : ".")));
    for (size_t i = 0; i < records.size(); ++i)
      for (size_t j = i + 1; j < records.size(); ++j)
        if (changed.count(records[i]) || changed.count(records[j]))
          apart_.push_back(
              fmt::format("if {0} is {1}: raise ValueError({2})", records[i], records[j],
                          quoted(fmt::format("`{}` and `{}` are one object, whose fields the call changes",
                                             records[i], records[j]))));
  }

  /// `points_0, points_1 = _taken(points, "points", ...)`
  void takeApart(const Form& form, const std::string& from, std::vector<Param>::const_iterator& next) {
    std::string parts;
    for (size_t k = 0; k < form.parts.size(); ++k) {
      const Symbol& name = (next++)->name;
      names_[name] = local(name.hint());
      parts += names_[name] + ", ";
    }
    parts.pop_back();
    const bool isText = form.type == "text", isSpelled = form.type == "characters";
    if (form.parts.size() > 1 || isText || isSpelled) parts.pop_back();
    const std::string what = isSpelled ? "" : isText ? ", (" + textsOf(form) + ")" : ", " + form.type;
    const char* taker = isSpelled ? "_characters" : isText ? "_text_number" : "_taken";
    apart_.push_back(fmt::format("{} = {}({}, {}{})", parts, taker, from, quoted(from), what));
  }

  static std::string textsOf(const Form& form) {
    std::string all;
    for (const std::string& text : form.keys) all += quoted(text) + ", ";
    return all;
  }

  void writeCaller() {
    std::vector<std::string> arrays;
    for (const Param& param : function_.params)
      if (param.isArray) arrays.push_back(names_[param.name]);
    out_.call(1, fmt::format("{}, {} = _caller", kind_, like_), arrays);
    if (!makesArrays()) {
      out_.line(1,
                fmt::format("{0} = {1}.stream({2}) if {0} is None else _stream({0})", stream_, kind_, like_));
      return;
    }
    out_.line(1, fmt::format("{0} = None if {1} is None else _stream({1})", chosen_, stream_));
    out_.line(1,
              fmt::format("{0} = {1}.stream({2}) if {3} is None else {3}", stream_, kind_, like_, chosen_));
  }

  /// What has to be done before `_array` looks at the argument.
  void writeBefore(const Param& param) {
    const std::string& variable = names_[param.name];
    if (param.byColumns) out_.line(1, fmt::format("{0} = _transposed({0})", variable));
    if (isGivenBack(function_, param))
      out_.call(
          1, variable + " = _from_literal",
          {variable, quoted(param.name.hint()), dtypeName(param.type), param.written ? "True" : "False"});
  }
  static std::vector<std::string> wanted(const Param& param) {
    return {quoted(param.name.hint()), dtypeName(param.type), fmt::format("{}", param.extents.size()),
            param.written ? "True" : "False"};
  }
  const std::string& shapeOf(const Param& param) {
    static const std::string unused = "_";
    return param.extents.empty() ? unused : shape_[param.name];
  }

  /// `_f_arrays = _arrays_of(("x", _float32, 1, False))`
  void writeWanted(const std::string& arrays) {
    std::vector<std::string> rows;
    for (const Param& param : function_.params)
      if (param.isArray) rows.push_back(fmt::format("({})", fmt::join(wanted(param), ", ")));
    out_.call(0, arrays + " = _arrays_of", rows);
    out_.blank(2);
  }
  /// `stream, x_data, x_shape = _f_arrays(c, copies, stream, x)`
  void writeArrays(const std::string& arrays) {
    std::string found = stream_;
    std::vector<std::string> args{c_, copies_, stream_};
    for (const Param& param : function_.params)
      if (param.isArray) {
        writeBefore(param);
        found += fmt::format(", {}, {}", data_[param.name], shapeOf(param));
        args.push_back(names_[param.name]);
      }
    out_.call(1, found + " = " + arrays, args);
  }

  void writeArguments(bool arraysAreDone) {
    const std::span<const Param> given =
        std::span(function_.params).first(function_.params.size() - function_.ofLaunch);
    for (const Param& param : given) { // what is in the brackets of a launch has been converted there
      if (param.drawn != Param::No) {
        out_.line(1, fmt::format("{} = {}()", names_[param.name], drawing(param.drawn)));
        continue;
      }
      const std::string& variable = names_[param.name];
      if (!param.isArray) {
        out_.line(
            1, fmt::format("{} = {}", variable, scalarConversion(param.type, variable, param.name.hint())));
        continue;
      }
      if (arraysAreDone) continue;
      writeBefore(param);
      std::vector<std::string> args = wanted(param);
      args.insert(args.begin(), variable);
      args.push_back(copies_);
      if (cuda_) args.insert(args.begin(), c_);
      out_.call(
          1, fmt::format("{}, {} = {}", data_[param.name], shapeOf(param), cuda_ ? "_array" : "_host_array"),
          args);
    }
  }

  const Param& paramOf(const Size& size) const {
    return function_.params.at(static_cast<size_t>(size.param));
  }
  const Size* sizeBoundAt(size_t param, size_t axis) const {
    for (const Size& size : function_.sizes)
      if (static_cast<size_t>(size.param) == param && static_cast<size_t>(size.axis) == axis) return &size;
    return nullptr;
  }

  /// `M, N = A_shape` where an array gives all its extents, `N = A_shape[1]` where it gives some.
  void writeSizes() {
    for (size_t p = 0; p < function_.params.size(); ++p) {
      const Param& param = function_.params[p];
      std::vector<std::string> all, single;
      for (size_t axis = 0; axis < param.extents.size(); ++axis)
        if (const Size* size = sizeBoundAt(p, axis)) {
          all.push_back(names_[size->name]);
          single.push_back(fmt::format("{} = {}[{}]", names_[size->name], shape_[param.name], axis));
        }
      if (all.size() > 1 && all.size() == param.extents.size())
        out_.line(1, fmt::format("{} = {}", fmt::join(all, ", "), shape_[param.name]));
      else
        for (const std::string& line : single) out_.line(1, line);
    }
  }

  /// Where the caller finds the other extent.
  std::string sourceOf(const Expr& extent) const {
    const auto* variable = extent.as<Var>();
    for (const Size& size : function_.sizes)
      if (variable && size.name == variable->name)
        return fmt::format(" (from `{}` axis {})", paramOf(size).name.hint(), size.axis);
    return "";
  }

  void writeChecks() {
    Names shown;
    for (const auto& [symbol, unused] : names_) shown[symbol] = symbol.hint();
    for (size_t p = 0; p < function_.params.size(); ++p) {
      const Param& param = function_.params[p];
      for (size_t axis = 0; axis < param.extents.size(); ++axis) {
        const Expr& extent = param.extents[axis];
        const Size* size = sizeBoundAt(p, axis);
        if (!extent || (size && extent.as<Var>() && extent.as<Var>()->name == size->name)) continue;
        const std::string got = fmt::format("{}[{}]", shape_[param.name], axis);
        const std::string expected = pythonExpr(extent, names_);
        const bool simple = extent.is<Var>() || extent.is<Const>();
        out_.line(1, fmt::format("if {} != {}:", got, simple ? expected : "(" + expected + ")"));
        std::vector<std::string> args{quoted(param.name.hint()), fmt::format("{}", axis), got,
                                      quoted(pythonExpr(extent, shown)), expected};
        if (const std::string source = sourceOf(extent); !source.empty()) args.push_back(quoted(source));
        out_.call(2, "raise _mismatch", args);
      }
    }
  }

  /// The call again, with arrays whose axes of one element are as long as those that they meet.
  void writeWidened(const std::string& name) {
    std::vector<std::string> again;
    for (const Param& param : function_.params)
      if (param.drawn == Param::No) again.push_back(fmt::format("{0}={0}", names_[param.name]));
    if (cuda_) again.push_back(fmt::format("{}={}", stream_, makesArrays() ? chosen_ : stream_));
    writeWidenedCall(out_, function_, {names_, shape_, extents_}, name, again);
  }

  bool makesComputed() const { return !computedExtents(function_).empty(); }
  /// The library says how large its results are.
  void writeExtents() {
    out_.line(1, fmt::format("{} = (_ctypes.c_int64 * {})()", extents_, computedExtents(function_).size()));
    std::vector<std::string> passed = arguments(workspaceParams(function_));
    passed.push_back(extents_);
    out_.call(1, fmt::format("{} = {}.{}_shapes", status_, c_, function_.entry), passed);
    out_.line(1, fmt::format("if {}:", status_));
    out_.line(2, fmt::format("raise _error({}, {})", c_, status_));
  }

  void writeResults() {
    std::set<Symbol> made;
    if (makesComputed()) writeExtents();
    const std::vector<ir::ComputedExtent> asked = computedExtents(function_);
    size_t computed = 0; // extents so far
    for (const Result& result : function_.results) {
      if (!made.insert(result.name).second) continue;
      if (result.kind == Result::Scalar || result.kind == Result::Place)
        out_.line(1, fmt::format("{} = {}", data_[result.name], resultCell(result.type)));
      if (result.kind != Result::Array) continue;
      std::string shape;
      for (const Expr& extent : result.extents) {
        const bool isNext = computed < asked.size() && equal(extent, asked[computed].extent);
        const std::string text =
            isNext ? fmt::format("{}[{}]", extents_, computed++) : pythonExpr(extent, names_);
        shape += (shape.empty() ? "" : ", ") + text;
      }
      shape = fmt::format("({}{})", shape, result.extents.size() == 1 ? "," : "");
      std::vector<std::string> args{shape, dtypeName(result.type)};
      if (cuda_) {
        args.insert(args.begin(), c_);
        args.insert(args.end(), {kind_, like_, chosen_, copies_});
      }
      out_.call(1,
                fmt::format("{}, {} = {}", names_[result.name], data_[result.name],
                            cuda_ ? "_result" : "_host_result"),
                args);
    }
  }

  std::string argument(const CParam& param) {
    switch (param.role) {
    case CParam::ArrayIn:
    case CParam::ArrayInOut:
    case CParam::ResultArray: return data_.at(param.symbol);
    case CParam::Scalar:
    case CParam::Size: return names_.at(param.symbol);
    case CParam::ResultScalar: return fmt::format("_ctypes.byref({})", data_.at(param.symbol));
    case CParam::Workspace: return needsWorkspace() ? workspace_ + ".address" : "None";
    case CParam::Stream: return stream_;
    }
    return {};
  }
  std::vector<std::string> arguments(const std::vector<CParam>& params) {
    std::vector<std::string> result;
    for (const CParam& param : params) result.push_back(argument(param));
    return result;
  }

  bool makesArrays() const {
    return std::any_of(function_.results.begin(), function_.results.end(),
                       [](const Result& result) { return result.kind == Result::Array; });
  }
  bool needsWorkspace() const { return mayNeedWorkspace(function_); }

  void writeCall() {
    if (cuda_ && needsWorkspace()) {
      std::vector<std::string> sizes = arguments(workspaceParams(function_));
      sizes.insert(sizes.begin(), {c_, quoted(function_.entry), stream_});
      out_.call(1, fmt::format("{}, {} = _workspace", workspace_, unused_), sizes);
    }
    const bool mayCopy = hasArrays_ || cuda_;
    if (mayCopy && (writes_ || cuda_)) {
      out_.line(1, fmt::format("if {}:", copies_));
      if (writes_) writeCopyCheck();
      if (cuda_) out_.line(2, fmt::format("_start({}, {}, {})", c_, copies_, stream_));
    }
    out_.call(1, fmt::format("{} = {}.{}", status_, c_, function_.entry),
              arguments(entryParams(function_, cuda_)));
    if (cuda_ && needsWorkspace()) out_.line(1, fmt::format("{}.append({})", unused_, workspace_));
    out_.line(1, fmt::format("if {}:", status_));
    const std::string where = cuda_ ? fmt::format("{}, {}", copies_, stream_) : copies_;
    const std::string error =
        mayCopy && writes_ && mayStop()
            ? fmt::format("{}({}, {}, {})", cuda_ ? "_stopped" : "_host_stopped", c_, status_, where)
            : fmt::format("_error({}, {})", c_, status_);
    out_.line(2, modulePrints_ ? fmt::format("raise _raised({})", error) : "raise " + error);
    if (mayCopy && (writes_ || cuda_)) {
      out_.line(1, fmt::format("if {}:", copies_));
      out_.line(2, cuda_ ? fmt::format("_finish({}, {}, {}{})", c_, copies_, stream_, usedRows())
                         : fmt::format("_copy_back({})", copies_));
    }
  }

  /// May it stop behind something that it has stored?
  bool mayStop() const {
    bool found = false;
    visit(function_.body, [&](const Stmt& s) {
      found = found || s.is<Require>() || s.is<Print>();
      return !found;
    });
    return found;
  }

  void writeCopyCheck() {
    std::vector<std::string> triples;
    for (const Param& param : function_.params)
      if (param.isArray)
        triples.push_back(fmt::format("({}, {}, {})", quoted(param.name.hint()), names_[param.name],
                                      param.written ? "True" : "False"));
    std::string list = fmt::format("({}{})", fmt::join(triples, ", "), triples.size() == 1 ? "," : "");
    out_.call(2, cuda_ ? "_check_copies" : "_check_host_copies", {copies_, list});
  }

  /// `, ((a, count.value),)`: the results of which only so many rows are set.
  std::string usedRows() const {
    std::string rows;
    for (const Result& view : function_.results) {
      if (view.kind != Result::View || view.place) continue;
      const auto isOfThis = [&](const Result& r) { return r.name == view.name && r.kind != Result::Scalar; };
      const bool isHidden = std::ranges::any_of(function_.results, [&](const Result& r) {
        return isOfThis(r) && r.kind == Result::Array && r.hidden;
      });
      if (!isHidden || std::ranges::count_if(function_.results, isOfThis) != 2) continue;
      if (isStrided(view)) {
        const auto whole = std::ranges::find_if(function_.results, isOfThis);
        if (whole->extents.size() == 1)
          rows += fmt::format("({}, _span({})), ", names_.at(view.name), strided(view));
        continue;
      }
      const ViewAxis& first = view.axes[0];
      if (first.axis >= 0 && first.extent && first.step == 1 && isConst(first.start, 0))
        rows += fmt::format("({}, {}), ", names_.at(view.name), viewNumber(first.extent));
    }
    return rows.empty() ? "" : fmt::format(", ({})", rows.substr(0, rows.size() - 1));
  }

  std::string viewNumber(const Expr& e) const {
    const auto* hidden = e.as<Var>();
    return hidden ? data_.at(hidden->name) + ".value" : pythonExpr(e, names_);
  }

  /// Does it lie across the array's axes?
  static bool isStrided(const Result& view) { return view.kind == Result::View && !view.among.empty(); }

  /// `start.value, (count.value, 3), (step.value, step_2.value)`
  std::string strided(const Result& view) const {
    std::string shape, strides;
    for (const Expr& extent : view.extents) shape += viewNumber(extent) + ", ";
    for (size_t k = 1; k < view.among.size(); ++k) strides += data_.at(view.among[k]) + ".value, ";
    const auto tuple = [&](std::string text) {
      if (view.extents.size() != 1 && !text.empty()) text.pop_back(), text.pop_back();
      return fmt::format("({})", view.extents.size() == 1 ? text.substr(0, text.size() - 1) : text);
    };
    return fmt::format("{}.value, {}, {}", data_.at(view.among[0]), tuple(shape), tuple(strides));
  }

  /// `, "float64"` where the view's elements are of another type than the argument's.
  std::string otherType(const Result& view) const {
    const bool isOther = std::ranges::any_of(function_.params, [&](const Param& p) {
      return p.isArray && p.name == view.name && p.type != view.type;
    });
    return isOther ? fmt::format(", \"{}\"", numpyName(view.type)) : "";
  }

  /// `a`, or `(a, b)[place.value]` where they may be swapped.
  std::string arrayOf(const Result& result) const {
    for (const Result& place : function_.results)
      if (result.place && place.name == result.place) {
        std::vector<std::string> among;
        for (const Symbol& s : place.among) among.push_back(names_.at(s));
        return fmt::format("({})[{}.value]", fmt::join(among, ", "), data_.at(place.name));
      }
    return names_.at(result.name);
  }

  /// `_part(a, (start.value, slice(None)))`: what Python's subscript gives.
  std::string viewOf(const Result& result) const {
    if (isStrided(result))
      return fmt::format("_strided({}, {}{})", arrayOf(result), strided(result), otherType(result));
    std::string index, order;
    std::vector<int> kept(result.extents.size(), -1); // by axis of the view, which of those left it is
    int left = 0;
    for (const ViewAxis& axis : result.axes) {
      const std::string start = axis.start ? viewNumber(axis.start) : "";
      index +=
          (index.empty() ? "" : ", ") +
          (!axis.start    ? std::string("slice(None)")
           : !axis.extent ? start
                          : fmt::format("_along({}, {}, {})", start, viewNumber(axis.extent), axis.step));
      if (axis.axis >= 0) kept[static_cast<size_t>(axis.axis)] = left++;
    }
    bool inOrder = true;
    for (size_t k = 0; k < kept.size(); ++k) {
      inOrder &= kept[k] == static_cast<int>(k);
      order += fmt::format("{}, ", kept[k] < 0 ? "None" : std::to_string(kept[k]));
    }
    return fmt::format(
        "_part({}, ({},){})", arrayOf(result), index,
        inOrder ? "" : fmt::format(", ({})", order.substr(0, order.size() - (kept.size() > 1 ? 2 : 1))));
  }

  void writeReturn() {
    std::vector<std::string> values;
    for (const Result& result : function_.results)
      if (result.kind == Result::View)
        values.push_back(viewOf(result));
      else if (!result.hidden)
        values.push_back(result.kind == Result::Scalar ? resultValue(result.type, data_[result.name])
                                                       : arrayOf(result));
    auto next = values.cbegin();
    std::string text = built(function_.returned, next);
    for (const ir::GivenBack& given : function_.givenBack)
      out_.line(1, fmt::format("{}{} = {}", takenName(given.param, reserved_), given.place,
                               built(given.form, next)));
    if (function_.returned.kind == Form::None) return;
    if (function_.returned.kind == Form::Tuple) text = text.substr(1, text.size() - 2);
    out_.line(1, "return " + text);
  }

  static std::string keyText(const std::string& key) {
    return key[0] == '"' ? quoted(key.substr(1, key.size() - 2)) : key;
  }

  /// What Python builds of the values, which are taken in turn.
  std::string built(const Form& form, std::vector<std::string>::const_iterator& next) const {
    if (form.kind == Form::None) return "None";
    if (form.kind == Form::Value) return form.type.empty() ? *next++ : userName(form.type, reserved_);
    if (form.kind == Form::Numbers) return *next++ + ".tolist()";
    if (form.kind == Form::Elements) { // a parameter may be called `list`
      std::string items = "[*{}]";     // and of lists of lists the same of each row
      for (int k = form.type.empty() ? 1 : std::stoi(form.type); k > 1; --k) {
        const std::string row = fmt::format("_r{}", k);
        items = fmt::format("[{} for {} in {{}}]", fmt::format(fmt::runtime(items), row), row);
      }
      return fmt::format(fmt::runtime(items), *next++);
    }
    if (form.kind == Form::Extended)
      return fmt::format("_extended({}{})", *next++, form.type.empty() ? "" : ", _np." + form.type);
    if (form.kind == Form::Optional) {
      const std::string isNone = built(form.parts[0], next);
      return fmt::format("(None if {} else {})", isNone, built(form.parts[1], next));
    }
    if (form.kind == Form::Zipped && form.type.starts_with("text")) { // of all texts those of these numbers
      const std::string all = textsOf(form), number = built(form.parts[0], next);
      if (!form.module.empty() ||
          std::ranges::any_of(function_.taken, [](const ir::Taken& t) { return t.form.type == "text"; }))
        return form.type == "text" ? fmt::format("_text(({}), {})", all, number)
                                   : fmt::format("[_text(({}), k) for k in {}]", all, number);
      return form.type == "text" ? fmt::format("({})[{}]", all, number)
                                 : fmt::format("[({})[k] for k in {}]", all, number);
    }
    std::string parts, fields;
    for (size_t k = 0; k < form.parts.size(); ++k) {
      if (k > 0) parts += ", ";
      if (form.kind == Form::Dict) parts += keyText(form.keys[k]) + ": ";
      parts += built(form.parts[k], next);
    }
    if (form.kind == Form::Dict || form.kind == Form::Paired) {
      const std::string dict = form.kind == Form::Dict
                                   ? "{" + parts + "}"
                                   : "{key: value for key, value in _tuples(" + parts + ")}";
      return form.type.empty() ? dict : fmt::format("__import__(\"collections\").{}({})", form.type, dict);
    }
    if (form.kind == Form::List) return "[" + parts + "]";
    if (form.kind == Form::Zipped && form.type == "dicts") {
      for (size_t k = 0; k < form.keys.size(); ++k)
        fields += fmt::format("{}{}: row[{}]", k > 0 ? ", " : "", keyText(form.keys[k]), k);
      return fmt::format("[{{{}}} for row in _tuples({})]", fields, parts);
    }
    if (form.kind == Form::Zipped)
      return form.type.empty()     ? "_tuples(" + parts + ")"
             : form.type == "list" ? "[[*row] for row in _tuples(" + parts + ")]"
                                   : "_" + form.type + "(" + parts + ")"; // _rows, _optional, _tuple
    if (form.kind == Form::Tuple) return "(" + parts + (form.parts.size() == 1 ? ",)" : ")");
    for (const std::string& field : form.keys) fields += quoted(field) + ", ";
    return fmt::format("_class({}, {}, ({}), {})({})", quoted(form.module.empty() ? stem_ : form.module),
                       quoted(form.type), fields, form.kind == Form::NamedTuple ? "True" : "False", parts);
  }

  PythonText& out_;
  const Function& function_;
  bool cuda_, modulePrints_, hasArrays_ = false, writes_ = false;
  const std::string stem_; ///< of the input, as Python imports it
  const std::set<std::string>& reserved_;
  std::set<std::string> taken_;
  Names names_;
  std::map<Symbol, std::string> data_, shape_;
  std::vector<std::string> apart_; ///< lines that take arguments apart
  std::string c_, copies_, status_, extents_, stream_, chosen_, kind_, like_, workspace_, unused_;
};
} // namespace

void writeFunction(PythonText& out, const Function& function, const std::string& name,
                   const std::string& arrays, const std::vector<std::string>& parameters,
                   const std::string& docstring, const Options& options,
                   const std::set<std::string>& reserved, bool modulePrints) {
  FunctionWriter(out, function, options, reserved, modulePrints).write(name, arrays, parameters, docstring);
}

} // namespace appyc::wrapper
