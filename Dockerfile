# One image for the API, the worker, the migrations and the deploy step (docs/guides/install.md#the-image).
#
#   docker build --tag holdfast .
#   docker run --env-file .env holdfast                          # the API
#   docker run --env-file .env holdfast build/worker/main.js     # a worker

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm run build:image

FROM node:24-slim
# Temporal's SDK verifies TLS with the system's certificates, which the slim image lacks.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/image ./
USER node
EXPOSE 8080 9464 9465
ENTRYPOINT ["node", "--import", "./build/ops/source-maps.js", "--max-semi-space-size=4"]
CMD ["build/api/main.js"]
