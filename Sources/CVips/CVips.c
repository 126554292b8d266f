#include "CVips.h"

#include <string.h>
#include <vips/vips.h>
#include <webp/encode.h>

struct CVipsImage {
    VipsImage *image;
};

static CVipsImage *wrap(VipsImage *image) {
    CVipsImage *wrapped = g_malloc(sizeof(CVipsImage));
    wrapped->image = image;
    return wrapped;
}

// Whether a decoder has replaced data that is missing or damaged.
static int has_lost_data = 0;

// Takes the warnings of libvips, of which an image may cause millions. Those of libjpeg keep their words.
static void take_warning(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    has_lost_data |= strstr(message, "Corrupt JPEG data") != NULL;
}

int cvips_start(void) {
    if (VIPS_INIT("skein")) {
        return -1;
    }
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, take_warning, NULL);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    vips_operation_block_set("VipsForeignLoadJpeg", FALSE);
    vips_operation_block_set("VipsForeignLoadPng", FALSE);
    vips_operation_block_set("VipsForeignLoadWebp", FALSE);
    vips_operation_block_set("VipsForeignLoadHeif", FALSE);
    return 0;
}

const char *cvips_error(void) {
    static char copy[1024];
    strncpy(copy, vips_error_buffer(), sizeof(copy) - 1);
    vips_error_clear();
    return copy;
}

int cvips_has_lost_data(void) {
    return has_lost_data;
}

CVipsImage *cvips_open(const char *path) {
    VipsImage *image = vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return image == NULL ? NULL : wrap(image);
}

int cvips_width(const CVipsImage *image) {
    return vips_image_get_width(image->image);
}

int cvips_height(const CVipsImage *image) {
    return vips_image_get_height(image->image);
}

int cvips_orientation(const CVipsImage *image) {
    return vips_image_get_orientation(image->image);
}

char *cvips_field(const CVipsImage *image, const char *name) {
    char *text = NULL;
    if (vips_image_get_typeof(image->image, name) == 0 || vips_image_get_as_string(image->image, name, &text)) {
        vips_error_clear();
        return NULL;
    }
    return text;
}

void cvips_free_text(char *text) {
    g_free(text);
}

// Copies the pixels, so that a file is decoded here, completely and only once.
static CVipsImage *in_memory(VipsImage *image) {
    VipsImage *copy = vips_image_copy_memory(image);
    g_object_unref(image);
    return copy == NULL ? NULL : wrap(copy);
}

CVipsImage *cvips_shrink_file(const char *path, int size) {
    VipsImage *image = NULL;
    if (vips_thumbnail(path, &image, size, "height", size, "size", VIPS_SIZE_DOWN, "export_profile", "srgb",
                       "fail_on", VIPS_FAIL_ON_ERROR, NULL)) {
        return NULL;
    }
    return in_memory(image);
}

CVipsImage *cvips_read(const char *path) {
    VipsImage *image =
        vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    return image == NULL ? NULL : in_memory(image);
}

CVipsImage *cvips_shrink(CVipsImage *original, int size) {
    VipsImage *image = NULL;
    if (vips_thumbnail_image(original->image, &image, size, "height", size, "size", VIPS_SIZE_DOWN, NULL)) {
        return NULL;
    }
    return in_memory(image);
}

CVipsImage *cvips_cut(CVipsImage *original, int left, int top, int cut_width, int cut_height, int width, int height) {
    VipsImage *part = NULL;
    if (vips_extract_area(original->image, &part, left, top, cut_width, cut_height, NULL)) {
        return NULL;
    }
    VipsImage *image = NULL;
    const int failed =
        vips_thumbnail_image(part, &image, width, "height", height, "size", VIPS_SIZE_FORCE, NULL);
    g_object_unref(part);
    return failed ? NULL : in_memory(image);
}

int cvips_write_jpeg(CVipsImage *image, const char *path) {
    const double white[] = {255, 255, 255};
    VipsArrayDouble *background = vips_array_double_new(white, 3);
    const int failed = vips_jpegsave(image->image, path, "Q", 82, "optimize_coding", TRUE, "strip", TRUE, "background",
                                     background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return failed;
}

int cvips_write_webp(CVipsImage *image, const char *path) {
    VipsImage *colours = NULL;
    if (vips_colourspace(image->image, &colours, VIPS_INTERPRETATION_sRGB, NULL)) {
        return -1;
    }
    size_t length = 0;
    const int isRGB = colours->Bands == 3 && colours->BandFmt == VIPS_FORMAT_UCHAR;
    uint8_t *pixels = isRGB ? vips_image_write_to_memory(colours, &length) : NULL;
    uint8_t *webp = NULL;
    // Not vips_webpsave: it adds EXIF of its own even when it is told to strip metadata.
    const size_t size =
        pixels == NULL ? 0 : WebPEncodeRGB(pixels, colours->Xsize, colours->Ysize, colours->Xsize * 3, 80, &webp);
    const int isWritten = size > 0 && g_file_set_contents(path, (const char *)webp, (gssize)size, NULL);
    WebPFree(webp);
    g_free(pixels);
    g_object_unref(colours);
    return isWritten ? 0 : -1;
}

// The mean brightness of a rectangle of pixels.
static uint8_t mean(const uint8_t *pixels, const VipsImage *image, int left, int right, int top, int bottom) {
    const int bands = image->Bands;
    uint64_t sum = 0;
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            const uint8_t *pixel = pixels + ((size_t)y * image->Xsize + x) * bands;
            // The weights of ITU-R BT.601, in thousandths.
            sum += bands < 3 ? 1000 * pixel[0] : 299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2];
        }
    }
    return (uint8_t)(sum / 1000 / ((uint64_t)(right - left) * (bottom - top)));
}

int cvips_brightness(CVipsImage *original, int width, int height, uint8_t *brightness) {
    VipsImage *image = NULL;
    if (vips_flatten(original->image, &image, NULL)) {
        return -1;
    }
    size_t length = 0;
    uint8_t *pixels = image->BandFmt == VIPS_FORMAT_UCHAR ? vips_image_write_to_memory(image, &length) : NULL;
    if (pixels != NULL) {
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                // A narrow image may have fewer pixels than cells; a pixel then counts for several.
                const int left = column * image->Xsize / width, top = row * image->Ysize / height;
                const int right = VIPS_MAX(left + 1, (column + 1) * image->Xsize / width);
                const int bottom = VIPS_MAX(top + 1, (row + 1) * image->Ysize / height);
                brightness[row * width + column] = mean(pixels, image, left, right, top, bottom);
            }
        }
    }
    g_free(pixels);
    g_object_unref(image);
    return pixels == NULL ? -1 : 0;
}

void cvips_close(CVipsImage *image) {
    if (image != NULL) {
        g_object_unref(image->image);
        g_free(image);
    }
}
