# The image for worker, watcher and command line: `docker run signalbox worker`. `npm run image` makes it without Docker,
# from the same files (docs/decisions/0071).
FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim AS files
ARG TARGETARCH
WORKDIR /signalbox
# .dockerignore lets in what goes into the image, or makes it.
COPY . .
RUN node scripts/run.mjs scripts/build-image.ts --files /files --platform "$TARGETARCH"

# Debian without a shell or a package manager, Node, packages, signalbox: what changes least is lowest.
FROM scratch
LABEL org.opencontainers.image.title="signalbox" \
      org.opencontainers.image.description="ML training jobs on Kubernetes as durable state machines" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=files /files/system/ /
COPY --from=files /files/node/ /
COPY --from=files /files/packages/ /
COPY --from=files /files/app/ /
# Health and metrics are asked for from outside of the container.
# With an arena of glibc's allocator for each thread, a worker takes twice the memory for a live job (docs/performance.md).
ENV PATH=/usr/local/bin \
    NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    SIGNALBOX_HTTP_HOST=0.0.0.0 \
    SIGNALBOX_HTTP_PORT=9464
WORKDIR /app
# By number, so that Kubernetes can tell that it is not root. The files stay root's: nothing is written to /app.
USER 1000:1000
EXPOSE 9464
ENTRYPOINT ["node", "cli/bin.mjs"]
CMD ["--help"]
