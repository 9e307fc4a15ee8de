#include <zlib.h>

// zlib's own are macros, which Swift does not see.

static inline int zlib_deflate_init(z_streamp stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

static inline int zlib_inflate_init(z_streamp stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
