//===- Modules.cpp - the memory of loaded modules -----------------------------------------------------===//
#include "Modules.h"
#include "cuda_runtime.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <sstream>

extern "C" void* __tls_get_addr(void*);

namespace emulation {

static bool holds(const dl_phdr_info& module, const void* place) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const auto& segment = module.dlpi_phdr[i];
    auto begin = module.dlpi_addr + segment.p_vaddr, at = reinterpret_cast<ElfW(Addr)>(place);
    if (segment.p_type == PT_LOAD && at >= begin && at < begin + segment.p_memsz) return true;
  }
  return false;
}

template <class Visit> static void visitModule(const void* place, Visit visit) {
  struct Search {
    const void* place;
    Visit* visit;
  } search{place, &visit};
  dl_iterate_phdr(
      [](dl_phdr_info* module, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (!holds(*module, wanted.place)) return 0;
        (*wanted.visit)(*module);
        return 1;
      },
      &search);
}

Range threadLocalMemory(const void* place) {
  Range range;
  visitModule(place, [&](const dl_phdr_info& module) {
    for (int i = 0; i < module.dlpi_phnum; ++i) {
      if (module.dlpi_phdr[i].p_type != PT_TLS) continue;
      struct {
        unsigned long module, offset;
      } index{module.dlpi_tls_modid, 0};
      void* data =
          module.dlpi_tls_data ? module.dlpi_tls_data : __tls_get_addr(&index); // allocated on first use
      range = {static_cast<char*>(data), module.dlpi_phdr[i].p_memsz};
    }
  });
  return range;
}

std::vector<Range> writableMemory(const void* place) {
  std::vector<Range> all;
  visitModule(place, [&](const dl_phdr_info& module) {
    for (int i = 0; i < module.dlpi_phnum; ++i) {
      const auto& segment = module.dlpi_phdr[i];
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W))
        all.push_back({reinterpret_cast<char*>(module.dlpi_addr + segment.p_vaddr), segment.p_memsz});
    }
  });
  return all;
}

/// The lines that addr2line prints of an address.
static std::vector<std::string> askAddr2line(const char* options, const Dl_info& module, long offset) {
  char address[32];
  snprintf(address, sizeof address, "0x%lx", offset);
  std::string command =
      std::string("addr2line ") + options + " -e '" + module.dli_fname + "' " + address + " 2>/dev/null";
  std::vector<std::string> lines;
  if (FILE* output = popen(command.c_str(), "r")) {
    for (char line[512]; fgets(line, sizeof line, output);) {
      line[strcspn(line, "\n")] = 0;
      if (line[0] != '?') lines.emplace_back(line);
    }
    pclose(output);
  }
  return lines;
}

static long offsetIn(const Dl_info& module, const void* address) {
  return static_cast<const char*>(address) - static_cast<const char*>(module.dli_fbase);
}

namespace {
/// What build.py has put into a module: which lines of the Python file the lines of the .cu file come from.
struct LineMap {
  std::string python;
  std::map<unsigned, unsigned> lines;
};
std::map<const void*, LineMap>& lineMaps() { // by where the module begins; filled before main()
  static std::map<const void*, LineMap> maps;
  return maps;
}
} // namespace

SourceLines::SourceLines(const char* python, const char* pairs) {
  Dl_info module;
  if (!dladdr(this, &module)) return;
  LineMap& map = lineMaps()[module.dli_fbase];
  map.python = python;
  std::istringstream text(pairs);
  for (unsigned generated, source; text >> generated >> source;) map.lines[generated] = source;
}

static std::string pythonLine(const Dl_info& module, const std::vector<std::string>& places) {
  auto map = lineMaps().find(module.dli_fbase);
  if (map == lineMaps().end()) return "";
  for (const std::string& place : places) {
    auto line = map->second.lines.find(unsigned(std::atoi(place.c_str() + place.rfind(':') + 1)));
    if (line != map->second.lines.end())
      return " (" + map->second.python + ":" + std::to_string(line->second) + ")";
  }
  return "";
}

std::string describePlace(const void* returnAddress) {
  Dl_info module;
  if (!returnAddress || !dladdr(returnAddress, &module)) return "?";
  long offset = offsetIn(module, returnAddress) - 1; // in the call, not after it
  std::vector<std::string> places;
  for (const std::string& line : askAddr2line("-s -i", module, offset)) {
    std::string place = line.substr(0, line.find(' '));                   // without "(discriminator 1)"
    if (place.find(".cu:") != std::string::npos) places.push_back(place); // not what the headers inline
  }
  if (places.empty()) return std::string(module.dli_fname) + "+" + std::to_string(offset);
  return places.front() + pythonLine(module, places);
}

std::string describeCall(const std::vector<void*>& returnAddresses) {
  for (const void* address : returnAddresses) {
    Dl_info module;
    if (!dladdr(address, &module) || !lineMaps().count(module.dli_fbase)) continue;
    std::string place = describePlace(address);
    if (place.back() == ')') return place;
  }
  return "?";
}

std::string functionAt(const void* address) {
  Dl_info module;
  if (!dladdr(address, &module)) return "?";
  std::vector<std::string> name = askAddr2line("-f -C", module, offsetIn(module, address));
  return name.empty() ? "?" : name.front().substr(0, name.front().find('('));
}

} // namespace emulation
