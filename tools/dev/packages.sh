# The Debian 12 packages that each ./dev command needs, and functions that install them. docs/dependencies.md gives the
# reasons. npm packages are listed in tests/interop/package.json and bench/peers/package.json.

build_packages=(
  g++ cmake ninja-build ccache pkg-config
  libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev libboost-system1.81-dev libboost-filesystem1.81-dev
  libsimdjson-dev libssl-dev libre2-dev libfmt-dev libcli11-dev libyaml-cpp-dev liblua5.4-dev
)
bench_packages=("${build_packages[@]}" libbenchmark-dev nlohmann-json3-dev)
count_packages=("${build_packages[@]}" python3 valgrind)
compare_packages=("${bench_packages[@]}" python3 openssl wrk libpcre2-8-0)
format_packages=(clang-format-19)
fuzz_packages=("${build_packages[@]}" clang-19 libclang-rt-19-dev lld-19 llvm-19)
test_packages=(
  "${bench_packages[@]}" "${format_packages[@]}" clang-19 libclang-rt-19-dev lld-19 llvm-19
  libgtest-dev libgmock-dev python3 openssl json-schema-test-suite libtest-json-schema-acceptance-perl
  zsh fish valgrind chromium
)
lint_packages=("${test_packages[@]}" clang-tidy-19)
# Other Node packages include npm, and conflict with Debian's.
command -v npm >/dev/null || { test_packages+=(npm) && compare_packages+=(npm); }

# Prints those of its arguments that are not installed, one per line.
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
  # Old package lists may still work, so continue after a failed update.
  as_root apt-get update >"$log" 2>&1 || echo "apt-get update failed; continuing with the existing package lists." >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@" >>"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    return 1
  }
}

# install_packages <package>…: quick if nothing is missing; exits on failure.
install_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system: nothing is installed. Install the equivalents of: $*" >&2
    return
  fi
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    echo "Packages are missing, and installing them needs root or sudo." >&2
    echo "Ask an administrator to run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  echo "Installing from Debian: ${missing[*]}"
  echo "(this can take a few minutes; details in build/logs/install.log)"
  apt_install "${missing[@]}" || {
    echo "The installation failed (see above). Run it by hand: apt-get install ${missing[*]}" >&2
    exit 1
  }
}

# unpack_program <program> <package> <target>: extracts one program from a Debian package without installing the package,
# which would start a server.
unpack_program() {
  local program=$1 package=$2 to=$3 log=$PWD/build/logs/$1.log unpacked
  command -v "$program" >/dev/null && return
  [[ -x $to/$program ]] && return
  echo "Unpacking $program from Debian's $package, in $to"
  unpacked=$(mktemp -d)
  mkdir -p "$to" build/logs
  { (cd "$unpacked" && apt-get download "$package" && dpkg-deb --extract "$package"_*.deb .) &&
    cp "$unpacked"/usr/*bin/"$program" "$to"; } >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    echo "$program is not available (see above, or $log); tests that need it are skipped." >&2
  }
  rm -rf "$unpacked"
  [[ -x $to/$program ]]
}

# install_npm <directory> <target>: installs the packages of the directory's package-lock.json in the target; quick if
# they are there. The packages include their own Node, and no install scripts run. Uses `install`, because `ci` fails on
# optional packages for other platforms.
install_npm() {
  local from=$1 to=$2 log=build/logs/npm.log
  cmp --silent "$from/package-lock.json" "$to/installed.json" && return
  echo "Installing the npm packages of $from/package.json in $to"
  mkdir -p "$to" build/logs && cp "$from"/package{,-lock}.json "$to" &&
    (cd "$to" && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error) >"$log" 2>&1 &&
    cp "$from/package-lock.json" "$to/installed.json" || {
    tail -n 15 "$log" >&2
    echo "npm failed (see above, or $log); the tests that need these packages are skipped." >&2
    return 1
  }
}
