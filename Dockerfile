# adtrail in one image: by itself with its embedded engines, or with engines given by DATABASE_URL and CLICKHOUSE_URL.

FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY dashboard/package.json ./dashboard/
COPY clients/s2s/package.json ./clients/s2s/
COPY clients/typescript/package.json ./clients/typescript/
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY dashboard ./dashboard
COPY clients ./clients
# The build holds the columns of the tables against the register of personal data.
COPY clickhouse ./clickhouse
RUN npm run build && npm prune --omit=dev

FROM node:26-trixie-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY sql ./sql
COPY clickhouse ./clickhouse
# PostgreSQL refuses to run as root, and nothing else here needs to.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1))"]
# The service itself receives SIGTERM, and needs up to 10 s after it.
CMD ["node", "--max-semi-space-size=64", "dist/cli.js", "serve"]
