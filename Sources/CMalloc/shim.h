#ifndef SKEIN_CMALLOC_SHIM_H
#define SKEIN_CMALLOC_SHIM_H

#include <malloc.h>

#endif
