#ifndef SKEIN_CIDN2_SHIM_H
#define SKEIN_CIDN2_SHIM_H

#include <idn2.h>

#endif
