#ifndef SKEIN_CZLIB_SHIM_H
#define SKEIN_CZLIB_SHIM_H

#include <zlib.h>

#endif
