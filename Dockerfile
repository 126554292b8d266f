# Skein in an image: built with Swift's, run on plain Debian. See docker-compose.yml for the database beside it.

FROM swift:6.3-bookworm AS build
RUN apt-get update --quiet=2 \
    && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends \
        libarchive-dev libidn2-dev libpq-dev libvips-dev libssl-dev libxml2-dev pkg-config python3-venv zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN swift build --configuration release --product skein --static-swift-stdlib \
    && install -D --strip --target-directory /opt/skein .build/release/skein \
    && scripts/docs-assets \
    && cp -R --parents share migrations openapi.yaml docs/about.md /opt/skein/

FROM debian:bookworm-slim
RUN apt-get update --quiet=2 \
    && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends \
        ca-certificates curl libarchive13 libidn2-0 libpq5 libstdc++6 libvips42 msmtp tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --home-dir /var/lib/skein --create-home skein
COPY --from=build /opt/skein /opt/skein
USER skein
WORKDIR /var/lib/skein
# Inside a container 0.0.0.0 is the container's own network; what is published outside is the composition's choice.
ENV SKEIN_HOST=0.0.0.0 \
    SKEIN_PORT=8080 \
    SKEIN_DATA_DIR=/var/lib/skein \
    SKEIN_SHARE_DIR=/opt/skein/share
VOLUME /var/lib/skein
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD curl --fail --silent --show-error --output /dev/null http://127.0.0.1:8080/healthz
ENTRYPOINT ["/opt/skein/skein"]
CMD ["serve"]
