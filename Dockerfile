# The server and nothing else: built in one stage, run in another as a user that owns nothing but /var/lib/fereta.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/fereta --shell /usr/sbin/nologin fereta \
    && install --directory --owner=fereta --group=fereta --mode=0700 /var/lib/fereta /var/lib/fereta/keys
COPY --from=build /src/target/release/fereta /usr/local/bin/fereta
USER 10001
WORKDIR /var/lib/fereta
ENV FERETA_LISTEN=0.0.0.0:8080 \
    FERETA_KEYS_DIR=/var/lib/fereta/keys \
    FERETA_LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["fereta", "health"]
ENTRYPOINT ["fereta"]
CMD ["serve"]
