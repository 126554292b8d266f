"use strict";

// The document's example: the service would take every request after the first for a repetition of it.
const exampleKey = "01968a40-1f3c-7000-8000-6d2f9a0b1c3d";

function newKey() {
  // Not crypto.randomUUID, which is missing on a page that came by plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.yaml",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.headers["Idempotency-Key"] === exampleKey) request.headers["Idempotency-Key"] = newKey();
    return request;
  },
});
