#ifndef SKEIN_CARCHIVE_SHIM_H
#define SKEIN_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

/* AE_IFREG is a macro with a cast in it, which Swift's importer leaves out. */
static inline int skein_archive_entry_is_regular(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFREG;
}

static inline void skein_archive_entry_set_regular(struct archive_entry *entry) {
    archive_entry_set_filetype(entry, AE_IFREG);
}

#endif
