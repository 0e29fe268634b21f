// Counts what a process has allocated: `cc -O2 -shared -fPIC heap.c -o heap.so`, then LD_PRELOAD=heap.so. For the C library of GNU.
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_long now, peak;

static void *added(void *p) {
    if (p) {
        long bytes = malloc_usable_size(p);
        long total = atomic_fetch_add(&now, bytes) + bytes;
        for (long most = peak; total > most && !atomic_compare_exchange_weak(&peak, &most, total);) {
        }
    }
    return p;
}

static void removed(void *p) {
    if (p) {
        atomic_fetch_sub(&now, malloc_usable_size(p));
    }
}

void *malloc(size_t n) { return added(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return added(__libc_calloc(n, size)); }
void *memalign(size_t alignment, size_t n) { return added(__libc_memalign(alignment, n)); }
void *aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }

int posix_memalign(void **out, size_t alignment, size_t n) {
    *out = memalign(alignment, n);
    return *out ? 0 : ENOMEM;
}

void *realloc(void *p, size_t n) {
    removed(p);
    void *grown = __libc_realloc(p, n);
    // what could not grow is still there
    added(grown || n == 0 ? grown : p);
    return grown;
}

void free(void *p) {
    removed(p);
    __libc_free(p);
}

long heap_now(void) { return now; }
long heap_peak(void) { return peak; }
void heap_reset(void) { peak = now; }
