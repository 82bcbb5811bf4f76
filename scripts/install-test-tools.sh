#!/usr/bin/env bash
# Installs from Debian's packages what some tests run against. Where that is not possible, those tests are skipped and say so.
set -u

missing=()
have() { command -v "$1" >/dev/null 2>&1; }
have pg_ctl || compgen -G '/usr/lib/postgresql/*/bin/pg_ctl' >/dev/null || missing+=(postgresql)
have nginx || [[ -x /usr/sbin/nginx ]] || missing+=(nginx-light)
have apache2 || [[ -x /usr/sbin/apache2 ]] || missing+=(apache2-bin)
have chromium || missing+=(chromium)

((${#missing[@]} > 0)) || exit 0
if ! have apt-get || [[ $(id -u) != 0 ]]; then
  printf 'not installed, so their tests are skipped: %s\n' "${missing[*]}"
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
timeout 300 apt-get update -qq && timeout 600 apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  printf 'could not be installed, so their tests are skipped: %s\n' "${missing[*]}"
exit 0
