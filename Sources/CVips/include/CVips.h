#ifndef SKEIN_CVIPS_H
#define SKEIN_CVIPS_H

#include <stddef.h>
#include <stdint.h>

// libvips and libwebp behind a few plain functions: those of libvips take variable arguments, which Swift cannot call.
// A function that fails returns a value other than 0, or NULL; cvips_error says why.

typedef struct CVipsImage CVipsImage;

// Starts libvips on one thread, without caches, with the loaders of JPEG, PNG, WebP and HEIF and nothing else.
int cvips_start(void);

// The reason of the last failure. Valid until the next call.
const char *cvips_error(void);

// Whether the decoder of a JPEG has noticed, since the start, that data is missing or damaged. It goes on with grey.
int cvips_has_lost_data(void);

// Reads a file's header: nothing is decoded yet.
CVipsImage *cvips_open(const char *path);

int cvips_width(const CVipsImage *image);
int cvips_height(const CVipsImage *image);

// The EXIF orientation, 1 to 8.
int cvips_orientation(const CVipsImage *image);

// A metadata field as libvips writes it, to be freed with cvips_free_text; NULL where there is none.
char *cvips_field(const CVipsImage *image, const char *name);
void cvips_free_text(char *text);

// Decodes a file into memory: upright, in sRGB, at most `size` on the longer side, never enlarged. Fails on truncated
// and damaged data.
CVipsImage *cvips_shrink_file(const char *path, int size);

// Decodes a file as it is, into memory. Fails on truncated and damaged data.
CVipsImage *cvips_read(const char *path);

// cvips_shrink_file of an image in memory.
CVipsImage *cvips_shrink(CVipsImage *image, int size);

// A part of an image in memory, scaled to exactly the size at the end.
CVipsImage *cvips_cut(CVipsImage *image, int left, int top, int cut_width, int cut_height, int width, int height);

// Writes a JPEG without metadata; transparent pixels become white.
int cvips_write_jpeg(CVipsImage *image, const char *path);

// Writes a WebP without metadata, about as good as the JPEG; the image has no transparency.
int cvips_write_webp(CVipsImage *image, const char *path);

// Writes `width` times `height` brightnesses, 0 to 255, row by row, of the image squeezed into that size.
int cvips_brightness(CVipsImage *image, int width, int height, uint8_t *brightness);

void cvips_close(CVipsImage *image);

#endif
