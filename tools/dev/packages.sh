# What each command of ./dev needs from Debian 12, and how it gets there.
# docs/dependencies.md says why. npm packages (official SDKs and suites for interop tests) get their list here too.

build_packages=(
  g++ cmake ninja-build ccache pkg-config
  libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev libboost-system1.81-dev libboost-filesystem1.81-dev
  libsimdjson-dev libssl-dev libre2-dev libfmt-dev libcli11-dev libyaml-cpp-dev
)
bench_packages=("${build_packages[@]}" libbenchmark-dev nlohmann-json3-dev)
format_packages=(clang-format-19)
fuzz_packages=("${build_packages[@]}" clang-19 libclang-rt-19-dev lld-19)
test_packages=(
  "${bench_packages[@]}" "${format_packages[@]}" clang-19 libclang-rt-19-dev lld-19
  libgtest-dev libgmock-dev python3 json-schema-test-suite libtest-json-schema-acceptance-perl
)
lint_packages=("${test_packages[@]}" clang-tidy-19)

# Those of its arguments that are not installed, one a line.
missing_packages() {
  local installed
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  local package
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || echo "$package"
  done
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

apt_install() {
  mkdir -p build/logs
  local log=build/logs/install.log
  # A stale package list is no reason to stop: the install itself decides.
  as_root apt-get update >"$log" 2>&1 || echo "apt-get update failed; trying with the package lists at hand." >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@" >>"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    return 1
  }
}

# install_packages <package>…: quick when nothing is missing; stops ./dev when it cannot help.
install_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system, so nothing is installed; needed are the counterparts of: $*" >&2
    return
  fi
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    echo "Packages are missing, and neither root nor sudo is here to install them." >&2
    echo "Ask an administrator for: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  echo "Installing from Debian: ${missing[*]}"
  echo "(this can take a few minutes; details in build/logs/install.log)"
  apt_install "${missing[@]}" || {
    echo "The installation failed (see above). By hand: apt-get install ${missing[*]}" >&2
    exit 1
  }
}
