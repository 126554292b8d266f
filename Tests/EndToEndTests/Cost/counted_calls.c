// Counts how often a process allocates memory, and how often its tasks look for the executor to go on with. Loaded with
// LD_PRELOAD. The counters are in a file that another process reads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALLOCATIONS, SWITCHES, COUNTERS };

// Until the file is open, and in other programs that inherit the environment.
static uint64_t nowhere[COUNTERS];
__attribute__((visibility("hidden"))) uint64_t *counts = nowhere;
__attribute__((visibility("hidden"))) void *task_switch;

__attribute__((constructor)) static void start(void) {
    task_switch = dlsym(RTLD_NEXT, "swift_task_switch");
    const char *path = getenv("SKEIN_COUNTS");
    if (!path || strcmp(program_invocation_short_name, "skein")) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) counts = mapped;
}

static void count(int counter) { __atomic_fetch_add(&counts[counter], 1, __ATOMIC_RELAXED); }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count(ALLOCATIONS);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(ALLOCATIONS);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(ALLOCATIONS);
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(ALLOCATIONS);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count(ALLOCATIONS);
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

// Its arguments are those of Swift's asynchronous functions: every register but r10 and r11 goes on as it came.
#if defined(__x86_64__)
__attribute__((naked)) void swift_task_switch(void) {
    __asm__("movq counts(%rip), %r11\n\t"
            "lock incq 8(%r11)\n\t"
            "movq task_switch(%rip), %r11\n\t"
            "jmp *%r11");
}
#endif
