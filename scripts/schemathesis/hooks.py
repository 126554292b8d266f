"""What schemathesis cannot know from the document: rules that need the state of the service, the time, or two members.

A request that fits the schema and is refused all the same is a failure, unless the problem document names nothing but
faults of the lists below. So a rule that the schema could state, and does not, is still found.
"""

import json
import random
import re
import unicodedata
import uuid

import schemathesis

# Problems that depend on what the service has stored.
STATEFUL_PROBLEMS = {
    "/problems/log-position-unknown": "how far the log has come is no matter of form",
    "/problems/day-not-over": "nor is what day it is",
    "/problems/rank-too-high": "nor what rank a taxon has",
    "/problems/too-many-rows": "nor in how many years it was observed",
    "/problems/precondition-failed": "If-Match names a version that is not, or no longer, the present one",
    "/problems/idempotency-key-reused": "an earlier request had the key",
    "/problems/unreadable-photo": "random bytes are no photo",
    "/problems/unsupported-media-type": "nor do they begin as one",
    "/problems/range-not-satisfiable": "how long a file is, neither",
    "/problems/photo-quota": "how many photos the account has sent today is no matter of form",
    "/problems/too-many-uploads": "nor how many uploads are incomplete",
    "/problems/mismatching-upload-offset": "how much of an upload has arrived, neither",
    "/problems/completed-upload": "nor whether all of it has",
    "/problems/invalid-code": "a code comes by mail",
    "/problems/wrong-password": "what the password is, is no matter of form",
    "/problems/email-verified": "nor whether the address has been verified",
    "/problems/last-admin": "nor whether another account is an admin",
    "/problems/too-many-keys": "nor how many keys the account has",
    "/problems/inconsistent-upload-length": "nor what earlier requests announced",
}


@schemathesis.serializer("application/partial-upload")
def bytes_of_an_upload(_context, value):
    return value.data if hasattr(value, "data") else value if isinstance(value, bytes) else str(value).encode()


# Faults of values that fit the schema: (where, code, the rule in words), each a whole match.
STATEFUL_FAULTS = [
    # Vocabularies that are data: taxa, states and regions, the commonest passwords.
    (r".*/taxonId", "unknown", r"must be the id of a taxon of the catalogue"),
    (r".*/name", "unknown", r"must be the name of exactly one taxon of the catalogue"),
    (r"/state", "range", r"must be the code of a state or province, such as US-WA"),
    (r"/region|/regions/\d+|(/filter/)?region", "range", r"must be the code of a region \(GET /v1/regions\)"),
    (r".*/targetId", "unknown", r"must be the id of a target"),
    (r"(/filter/)?taxon", "unknown", r"must be the id of a taxon of the catalogue"),
    (r"(/filter/)?dataset", "unknown", r"must be the id of a dataset of the service, or none"),
    (r"/taxonId|/taxa/\d+", "conflict", r"must be a species that is neither sensitive nor disturbed at its nest"),
    (r"/taxa/\d+", "unknown", r"must be the id of a taxon of the catalogue"),
    (r"/password|/newPassword", "vocabulary", r"must not be (one of the commonest passwords, or like one|like the e-mail address)"),
    (r"/password|/newPassword", "format", r"must have at least 6 visible characters"),
    (r"/displayName", "vocabulary", r"must not be a name of the people who run the service"),
    # The schema says boolean: code generators make an enumeration of a single `true` and cannot send it.
    (r"/oldEnough", "range", r"must be true.*"),
    # Two values together.
    (r"(/filter/)?from", "conflict", r"must not be after to"),
    (r"/filter/\w+", "unexpected", r"is only for the format ranges|is not for the format survey, whose visits have all their records"),
    (r"/filter/taxa", "required", r"is required, or taxon, or kind"),
    (r"/filter/(taxa|kind)", "conflict", r"must be the only one of taxa, taxon and kind"),
    (r"/filter/taxa(/\d+)?", "unknown", r"must be the id of a taxon of the catalogue"),
    (r"/category", "range", r"must be less sensitive than the present one, but not than that of the present identification"),
    (r"/ids", "conflict", r"must be the ids of all photos, each once"),
    (r"/reasons", "required", r"is required"),
    (r"/reasons", "conflict", r"must be empty unless the decision is reject"),
    (r"/note", "required", r"is required"),
    (r"/region", "conflict", r"must be the region that the state is part of"),
    (r"(/filter/)?bbox", "range", r"must have (longitudes from -180 to 180|latitudes from -90 to 90, south before north)"),
    (r".*/latitude|.*/longitude", "range", r"must not be 0/0, which means that the place is unknown"),
    (r"/email", "conflict", r"must differ from the current address"),
    # The calendar and the clock.
    (r"/expires|/until", "range", r"must be in the future"),
    (r"asOf", "range", r"must not be before the day of the export"),
    (r"/?asOf", "range", r"must be a day that is over \(GET /v1/log\)"),
    (r".*/observedAt|.*/startedAt", "format", r"must be a day that exists, such as 2026-05-01"),
    (r".*/observedAt|.*/startedAt", "range", r"must not be (in the future|before the year 1600)"),
    # Only the service seals positions.
    (r"Log-Position", "format", r"must be the Log-Position of a response of today or yesterday \(UTC\)"),
    # Only the list itself makes cursors.
    (r"after", "format", r"must be the cursor that an earlier page of the same query gave"),
]

# Their items have statuses of their own.
BATCHES = {"/v1/sightings/batch", "/v1/moderation/decisions"}

# The document's examples, which most requests of the coverage phase share, and which are good for one of them, or none.
EXAMPLE_KEY = "01968a40-1f3c-7000-8000-6d2f9a0b1c3d"
EXAMPLE_TAG = '"1.n4bQgYhMfWWaL-qg"'
keys = random.Random(20260501)
emails = set()
# The header with the position of the last write, which reads in a sequence of requests must know.
last_written = {}
# The ids of sightings that were withdrawn for privacy.
private = set()
# Ids of photos that were deleted.
deleted_photos = set()
# Ids of sightings that a correction generalised, or may have: they are public under another id.
generalised = set()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Does what the document says a client does: a key for each request, and the position of a write for reading it."""
    meta = case.meta
    # A request that is wrong on purpose, such as one without Authorization, stays as it is, or it is taken for right.
    if meta is None or meta.generation.mode.is_negative:
        return
    if case.headers.get("Idempotency-Key") == EXAMPLE_KEY:
        case.headers["Idempotency-Key"] = str(uuid.UUID(int=keys.getrandbits(128), version=4))
    if meta.phase.name.value == "coverage":
        be_accepted(case)
    # The schema allows `false`, which would be refused before anything else is looked at.
    if case.operation.path == "/v1/accounts" and isinstance(case.body, dict) and keys.random() < 0.9:
        case.body["oldEnough"] = True
    reads = any(parameter.name == "Log-Position" for parameter in case.operation.headers)
    if reads and meta.phase.name.value == "stateful":
        case.headers.update(last_written)
    # Only the service seals positions: what the schema makes is nearly always replaced by one of them.
    elif "Log-Position" in case.headers and keys.random() < 0.9:
        del case.headers["Log-Position"]
        case.headers.update(last_written)


def be_accepted(case):
    """Each of these requests is about another member: it must not be refused for what is the same in all of them."""
    if case.headers.get("If-Match") == EXAMPLE_TAG:
        case.headers["If-Match"] = "*"
    if case.operation.path == "/v1/accounts" and isinstance(case.body, dict):
        if case.body.get("email") in emails:
            case.body["email"] = f"wren{len(emails)}@example.org"
        emails.add(case.body.get("email"))


@schemathesis.hook
def after_call(context, case, response):
    position = response.headers.get("log-position")
    if position and case.method != "GET" and response.status_code < 300:
        last_written["Log-Position"] = position[0]
    if case.method == "DELETE" and response.status_code == 204 and (case.query or {}).get("reason") == "privacy":
        private.add(subject_of(case))
    if case.method == "DELETE" and response.status_code == 204 and case.operation.path == "/v1/me/photos/{id}":
        deleted_photos.add(subject_of(case))
    if case.method == "PATCH" and response.status_code == 200:
        finding = body_of(response)
        if "publicId" in finding and finding["publicId"] != finding["id"]:
            generalised.add(finding["id"])


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure is one."""
    excuses = {
        "RejectedPositiveData": is_refused_for_state,
        "AcceptedNegativeData": has_refused_item,
        "UseAfterFree": is_remembered,
        "JsonSchemaError": is_part,
        "MalformedJson": is_part,
    }
    excuse = excuses.get(type(failure).__name__)
    return excuse is None or not excuse(case, response)


def is_part(case, response):
    """A range of a file of GeoJSON is no JSON."""
    return response.status_code == 206


def has_refused_item(case, response):
    """A batch is 200 when it could be read; each of its items has a status of its own."""
    if case.operation.path not in BATCHES or response.status_code != 200:
        return False
    return any(item["status"] >= 400 for item in body_of(response)["items"])


def is_remembered(case, response):
    """A sighting withdrawn as a mistake leaves a tombstone and a history, and earlier days stay as they were.

    One withdrawn for privacy must be gone, and nothing excuses it when it is not.
    """
    if is_private(case):
        return False
    body = body_of(response)
    kinds = {entry["kind"] for entry in body.get("items", [])}
    return body.get("status") == "withdrawn" or "withdrawn" in kinds or "asOf" in (case.query or {})


def is_private(case):
    """Whether the request is about a sighting that was withdrawn for privacy."""
    return subject_of(case) in private


def subject_of(case):
    """The id that the path names."""
    return str(case.path_parameters.get("id")).lower()


def is_refused_for_state(case, response):
    problem = body_of(response)
    # The tool knows 404 for what is not there, but not 410 for what was, and must be gone now.
    if problem.get("type") == "/problems/gone":
        # A photo that was deleted is also gone for a retry of its upload.
        is_upload = case.operation.path == "/v1/me/findings/{id}/photos" and deleted_photos
        # So is a photo whose sighting was withdrawn for privacy.
        if "/photos/{id}" in case.operation.path and private:
            return True
        return (
            is_private(case) or subject_of(case) in generalised or subject_of(case) in deleted_photos
            or bool(is_upload))
    if problem.get("type") in STATEFUL_PROBLEMS:
        return True
    faults = problem.get("errors") or []
    return bool(faults) and all(
        is_stateful(fault) or is_beyond_patterns(case, fault) or is_missing_week(case, fault) for fault in faults)


def is_stateful(fault):
    place = next((fault[member] for member in ("pointer", "parameter", "header") if member in fault), None)
    return place is not None and any(
        re.fullmatch(where, place) and code == fault.get("code") and re.fullmatch(rule, fault.get("detail", ""))
        for where, code, rule in STATEFUL_FAULTS)


def is_beyond_patterns(case, fault):
    """Whether a text has the one sort of character that a pattern cannot name in every language: above U+FFFF.

    Tags (U+E0000 to U+E007F) are rejected, and a text of nothing but white space and such format characters is blank.
    """
    value = case.body
    for part in fault.get("pointer", "").split("/")[1:]:
        # What is required is missing.
        value = value[int(part)] if isinstance(value, list) else (value or {}).get(part)
    if fault.get("code") != "format" or not isinstance(value, str):
        return False
    detail = fault.get("detail", "")
    if detail.startswith("must not contain control characters"):
        return any(0xE0000 <= ord(character) <= 0xE007F for character in value)
    if detail == "must not be blank":
        blank = all(character.isspace() or is_invisible(character) for character in value)
        return blank and any(ord(character) > 0xFFFF for character in value)
    return False


def is_missing_week(case, fault):
    """Whether the request names a week 53 that its year does not have, which no pattern can express."""
    value = {**(case.path_parameters or {}), **(case.query or {})}.get(fault.get("parameter"))
    detail = fault.get("detail", "")
    return str(value).endswith("-W53") and detail.startswith("must be a week that exists")


def is_invisible(character):
    """Whether a character is a format character, or another that Unicode lets programs ignore."""
    code = ord(character)
    return unicodedata.category(character) == "Cf" or code == 0x1D159 or 0xE0000 <= code <= 0xE0FFF


def body_of(response):
    """The object that an answer has as its body; an empty one for anything else."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
