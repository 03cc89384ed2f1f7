# Sourced by ./run and ./test: installs what they need and this machine lacks, and says what it does.
# Knows Debian and Ubuntu; elsewhere it says what is missing.

say() { printf '\n==> %s\n' "$*" >&2; }

fail() {
    printf '\nfereta: %s\n' "$*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "packages are missing, and there is no sudo to install them with: as root, run this script, or the line below
  apt-get update && apt-get install -y --no-install-recommends postgresql gcc libc6-dev"
    fi
}

apt_install() {
    command -v apt-get >/dev/null || fail "please install: $* (this script can do it only with apt-get)"
    say "Installing $*"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Of the documentation's commands, which are tested.
need_commands() {
    local missing=()
    for command in curl openssl; do command -v "$command" >/dev/null || missing+=("$command"); done
    if [ "${#missing[@]}" -gt 0 ]; then apt_install "${missing[@]}"; fi
}

has_postgres() {
    compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || { command -v postgres && command -v initdb; } >/dev/null
}

# fereta runs clusters of its own: the programs are needed, the distribution's cluster and its service are not.
need_postgres() {
    if has_postgres; then return; fi
    local directory=/etc/postgresql-common/createcluster.d
    apt_install postgresql-common
    as_root mkdir -p "$directory"
    echo 'create_main_cluster = false' | as_root tee "$directory/fereta.conf" >/dev/null
    apt_install postgresql
    as_root rm -f "$directory/fereta.conf"
    has_postgres || fail 'PostgreSQL was installed, but its programs were not found under /usr/lib/postgresql'
}

# Only for a test, and it would listen on port 80 of whoever runs it: so by hand, but for machines that are there for tests.
need_nginx() {
    if [ -z "${CI:-}" ] || command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; then return; fi
    apt_install nginx-light
}

need_rust() {
    if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then PATH="$HOME/.cargo/bin:$PATH"; fi
    command -v cargo >/dev/null || fail 'Rust is missing: install it as https://rustup.rs says, then try again'
    # Cargo links with the C compiler, and a few crates bring C.
    command -v cc >/dev/null || apt_install gcc libc6-dev
}

# What generates clients from the OpenAPI document, plays with them, and asks the server what the document allows.
need_generators() {
    local missing=()
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    command -v java >/dev/null || missing+=(default-jre-headless)
    [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
}
