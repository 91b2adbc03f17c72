# The image holds one file, which is the server and its command line. Data is in the volume /data.
#
#     docker build --tag sightline .
#     docker run --publish 8787:8787 --volume sightline:/data sightline
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
COPY build ./build
RUN npm ci --no-audit --no-fund
COPY src ./src
RUN npm run -s build:binary -- /build/sightline
RUN mkdir /build/data

FROM debian:stable-slim
COPY --from=build /build/sightline /usr/local/bin/sightline
COPY --from=build --chown=10001:10001 /build/data /data
USER 10001:10001
ENV HOST=0.0.0.0 PORT=8787 SIGHTLINE_DATA_DIR=/data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s CMD ["sightline", "health"]
CMD ["sightline", "serve"]
