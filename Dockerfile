# groundrules as a service. Built by buildah on a stand-in for the base, of which no registry could be asked:
# docs/how-to/deploy.md says what was tried, and how. The digest of the base is the one that public repositories named in
# October 2026; no registry was asked here, and a build fails where it has no such image.
FROM python:3.12-slim-bookworm@sha256:54c85f3c47607a77f32adec749d3c81d1348bf25833671f512b26a9b6d778cb3 AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY pyproject.toml README.md LICENSE deploy/requirements.lock ./
COPY groundrules ./groundrules
# each file by the hash that was locked, the extras serve, llm and mcp; no torch
RUN python -m venv /opt/groundrules \
    && /opt/groundrules/bin/pip install --require-hashes --requirement requirements.lock \
    && /opt/groundrules/bin/pip install --no-deps --no-build-isolation .

FROM python:3.12-slim-bookworm@sha256:54c85f3c47607a77f32adec749d3c81d1348bf25833671f512b26a9b6d778cb3
RUN groupadd --system --gid 10001 groundrules \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin groundrules
COPY --from=build /opt/groundrules /opt/groundrules
# nothing is written but under /tmp, so that the root may be read-only
ENV PATH=/opt/groundrules/bin:$PATH \
    GROUNDRULES_CACHE=off \
    OMP_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /data
USER 10001:10001
EXPOSE 8765
# the first start reads the models; a worker that is not ready is told by /ready
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import http.client as h, sys; c = h.HTTPConnection('127.0.0.1', 8765, timeout=4); c.request('GET', '/health'); sys.exit(c.getresponse().status != 200)"]
ENTRYPOINT ["groundrules"]
# what other machines can reach needs keys: --keys FILE, or GROUNDRULES_API_KEYS
CMD ["serve", "--host", "0.0.0.0"]
