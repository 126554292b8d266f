#ifndef SKEIN_CLIBPQ_SHIM_H
#define SKEIN_CLIBPQ_SHIM_H

#include <libpq-fe.h>
#include <postgres_ext.h>

/* The field codes of PQresultErrorField are character macros, which Swift does not import. */
enum {
    DIAG_SEVERITY = PG_DIAG_SEVERITY,
    DIAG_SEVERITY_NONLOCALIZED = PG_DIAG_SEVERITY_NONLOCALIZED,
    DIAG_SQLSTATE = PG_DIAG_SQLSTATE,
    DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY,
    DIAG_MESSAGE_DETAIL = PG_DIAG_MESSAGE_DETAIL,
    DIAG_MESSAGE_HINT = PG_DIAG_MESSAGE_HINT,
    DIAG_STATEMENT_POSITION = PG_DIAG_STATEMENT_POSITION,
    DIAG_CONTEXT = PG_DIAG_CONTEXT,
    DIAG_SCHEMA_NAME = PG_DIAG_SCHEMA_NAME,
    DIAG_TABLE_NAME = PG_DIAG_TABLE_NAME,
    DIAG_COLUMN_NAME = PG_DIAG_COLUMN_NAME,
    DIAG_DATATYPE_NAME = PG_DIAG_DATATYPE_NAME,
    DIAG_CONSTRAINT_NAME = PG_DIAG_CONSTRAINT_NAME
};

// What waits for libpq's sockets on Linux; Swift's Glibc module leaves it out.
#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
