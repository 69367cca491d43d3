# One image for pages, live, background work and the clock; docker-compose.yml says which one a container is.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STATIC_ROOT=/app/static \
    DATA_DIR=/data

RUN useradd --system --uid 10001 --no-create-home league \
    && install --directory --owner league /data

WORKDIR /app

# The packages first: they change seldom, and this layer is kept until the lock does.
COPY requirements.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

COPY manage.py pyproject.toml ./
COPY games games
COPY referee referee
COPY league league
COPY templates templates

# Names the static files by their content; needs a key to start, which no container ever runs with.
RUN SECRET_KEY=only-while-building DATA_DIR=/tmp python manage.py collectstatic --noinput

USER league
VOLUME /data
EXPOSE 8000 8001

HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8000/healthz', timeout=4)"]

CMD ["gunicorn", "league.wsgi:application", "--bind", "0.0.0.0:8000", "--workers", "3", "--threads", "4", "--limit-request-line", "8190"]
