# The servers of catan_env in a container: docs/howto/containers.md.
ARG PYTHON=python:3.13

FROM ${PYTHON} AS build
# The engine as machine code; `pure` compiles it by Numba, for any processor of this architecture.
ARG CATAN_ENV_BUILD=native
ENV NUMBA_CPU_NAME=generic CATAN_ENV_CACHE=/opt/catan_env/cache
COPY . /source
RUN python -m venv /opt/catan_env \
    && /opt/catan_env/bin/pip install --no-cache-dir --quiet '/source[cli,league,postgresql,render]' \
    && /opt/catan_env/bin/python -m catan_env.policies.judge.compiled \
    && chmod -R a+rX /opt/catan_env

FROM ${PYTHON}-slim
ENV NUMBA_CPU_NAME=generic \
    CATAN_ENV_CACHE=/opt/catan_env/cache \
    PATH=/opt/catan_env/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
COPY --from=build /opt/catan_env /opt/catan_env
RUN useradd --uid 10001 --create-home --home-dir /data catan
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["catan-env"]
CMD ["--help"]
