# syntax=docker/dockerfile:1
# One image for worker, watcher and command line: `docker run signalbox worker`.
# Debian, not Alpine: Temporal's core is built for glibc.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/sandbox/package.json packages/sandbox/
# No install script is needed at run time. Temporal's core comes for every platform; Linux's two are enough.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@temporalio/core-bridge/releases/*-apple-darwin \
            node_modules/@temporalio/core-bridge/releases/*-pc-windows-msvc

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="signalbox" \
      org.opencontainers.image.description="ML training jobs on Kubernetes as durable state machines"
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
# .dockerignore lets in what runs, and nothing else.
COPY . .
# Workers start with the bundle of these very sources.
RUN node worker/prebuild.ts
# Where volumes for evidence of failed pods and for the archive go; a new one takes over that whoever runs the container may write to it.
RUN install --directory --mode=1777 /var/lib/signalbox/evidence /var/lib/signalbox/record
# Health and metrics are asked for from outside of the container.
# With an arena of glibc's allocator for each thread, a worker takes twice the memory for a live job (docs/performance.md).
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    SIGNALBOX_HTTP_HOST=0.0.0.0 \
    SIGNALBOX_HTTP_PORT=9464
# By number, so that Kubernetes can tell that it is not root. The files stay root's: nothing is written to /app.
USER 1000:1000
EXPOSE 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "deploy/image/health-check.mjs"]
ENTRYPOINT ["node", "cli/bin.mjs"]
CMD ["--help"]
