//===- Device.cpp - the rows of Device.def, and what follows from them -----------------------------------===//
#include "appyc/Cost/Device.h"

namespace appyc::cost {

static constexpr Device kDevices[] = {
#define DEVICE(...) Device{__VA_ARGS__},
#include "appyc/Cost/Device.def"
#undef DEVICE
};

std::span<const Device> allDevices() { return kDevices; }

const Device* deviceNamed(std::string_view name) {
  for (const Device& device : kDevices)
    if (device.name == name) return &device;
  return nullptr;
}

const Device& standardDevice() { return kDevices[0]; }

int64_t powerOfTwoUpTo(double x) {
  int64_t power = 1;
  while (static_cast<double>(power) * 2 <= x) power *= 2;
  return power;
}

int64_t Device::threadsToFill() const { return powerOfTwoUpTo(double(multiprocessors) * schedulers * warp); }
int64_t Device::threadsAtOnce() const {
  return powerOfTwoUpTo(double(multiprocessors) * threadsOfMultiprocessor);
}

} // namespace appyc::cost
