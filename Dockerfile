# One image for the API, the worker, the migrations and the deploy step (docs/operations.md#containers).
#
#   docker build --tag holdfast .
#   docker run --env-file .env holdfast                          # the API
#   docker run --env-file .env holdfast build/worker/main.js     # a worker

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# What the bundles contain, for scanners: /app/sbom.cdx.json.
RUN npm run --silent sbom > sbom.cdx.json

FROM node:24-slim
# Temporal's SDK verifies TLS with the certificates of the system, which the slim image lacks.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/build ./build
# What V8 has compiled, for a start on the same kind of CPU. Without settings each process ends when it is loaded.
ENV NODE_COMPILE_CACHE=/app/compiled
RUN install --directory --owner=node compiled
USER node
RUN for entry in api/main worker/main chunks/workflow-worker-thread deploy/migrate deploy/prepare; do \
      node --max-semi-space-size=4 build/$entry.js > /dev/null 2>&1 || true; \
    done
EXPOSE 8080 9464 9465
ENTRYPOINT ["node", "--max-semi-space-size=4"]
CMD ["build/api/main.js"]
