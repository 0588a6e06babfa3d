//===- Memory.cpp - operator new and delete of a program that makes many small things ---------------------===//
// A fourth of a translation's time went into malloc and free. A list of free pieces for each size takes a fifth of that; what
// a piece was taken for stands before it. Sanitizers bring their own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr size_t kStep = 16, kSizes = 33, kChunk = size_t(1) << 18;
constexpr size_t kHead = sizeof(uint64_t); ///< pieces begin there, as the alignment of 16 asks

struct Free {
  Free* next;
};
thread_local Free* freePieces[kSizes];
thread_local char *fresh, *freshEnd;

[[noreturn]] void fail() { throw std::bad_alloc(); }

void* labelled(char* head, uint64_t size) {
  *reinterpret_cast<uint64_t*>(head) = size;
  return head + kHead;
}

/// From malloc, for what is large, and for chunks.
char* taken(size_t bytes) {
  char* all = static_cast<char*>(std::malloc(bytes));
  return all ? all + kStep - kHead : (fail(), nullptr);
}

void* freshPiece(size_t size) {
  const size_t bytes = size * kStep;
  if (static_cast<size_t>(freshEnd - fresh) < bytes) {
    fresh = taken(kChunk);
    freshEnd = fresh + kChunk - kStep;
  }
  char* head = fresh;
  fresh += bytes;
  return labelled(head, size);
}

} // namespace

void* operator new(size_t bytes) {
  const size_t size = (bytes + kHead + kStep - 1) / kStep;
  if (size >= kSizes) return labelled(taken(bytes + 2 * kStep), 0);
  Free* piece = freePieces[size];
  if (!piece) return freshPiece(size);
  freePieces[size] = piece->next;
  return piece;
}

void operator delete(void* at) noexcept {
  if (!at) return;
  char* head = static_cast<char*>(at) - kHead;
  const uint64_t size = *reinterpret_cast<uint64_t*>(head);
  if (size == 0) return std::free(head - (kStep - kHead));
  auto* piece = static_cast<Free*>(at);
  piece->next = freePieces[size];
  freePieces[size] = piece;
}
void operator delete(void* at, size_t) noexcept { operator delete(at); }

#endif
