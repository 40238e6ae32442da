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
# What the image contains, for scanners: /app/sbom.cdx.json.
RUN npm run --silent sbom > sbom.cdx.json
# What runs needs no development packages, no types, source maps and variants for browsers of the others, and Temporal's SDK
# brings its library for every platform.
RUN npm ci --omit=dev \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.md' \) -delete \
  && rm -r node_modules/typeorm/browser node_modules/@opentelemetry/*/build/esm node_modules/@opentelemetry/*/build/esnext \
  && cd node_modules/@temporalio/core-bridge/releases \
  && case "$(uname -m)" in aarch64) keep=aarch64-unknown-linux-gnu ;; *) keep=x86_64-unknown-linux-gnu ;; esac \
  && find . -mindepth 1 -maxdepth 1 ! -name "$keep" -exec rm -r {} +

FROM node:24-slim
# Temporal's SDK verifies TLS with the certificates of the system, which the slim image lacks.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/build ./build
USER node
EXPOSE 8080 9464 9465
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=4"]
CMD ["build/api/main.js"]
