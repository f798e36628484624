# What each command of ./dev needs from Debian 12, and how it gets there.
# docs/dependencies.md says why. What comes from npm is named where it is used: tests/interop/package.json, bench/peers/package.json.

build_packages=(
  g++ cmake ninja-build ccache pkg-config
  libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev libboost-system1.81-dev libboost-filesystem1.81-dev
  libsimdjson-dev libssl-dev libre2-dev libfmt-dev libcli11-dev libyaml-cpp-dev liblua5.4-dev
)
bench_packages=("${build_packages[@]}" libbenchmark-dev nlohmann-json3-dev)
compare_packages=("${bench_packages[@]}" python3 openssl wrk libpcre2-8-0)
format_packages=(clang-format-19)
fuzz_packages=("${build_packages[@]}" clang-19 libclang-rt-19-dev lld-19 llvm-19)
test_packages=(
  "${bench_packages[@]}" "${format_packages[@]}" clang-19 libclang-rt-19-dev lld-19 llvm-19
  libgtest-dev libgmock-dev python3 openssl json-schema-test-suite libtest-json-schema-acceptance-perl
  zsh fish
)
lint_packages=("${test_packages[@]}" clang-tidy-19)
# Other packagings of Node bring an npm of their own, which Debian's would drive out.
command -v npm >/dev/null || { test_packages+=(npm) && compare_packages+=(npm); }

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

# unpack_program <program> <package> <target>: that one program out of Debian's package, which installed as a whole would
# start a server.
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
    echo "No $program (see above, or $log); what needs it is left out." >&2
  }
  rm -rf "$unpacked"
  [[ -x $to/$program ]]
}

# install_npm <folder> <target>: what the folder's package-lock.json names, in the target; quick when it is there.
# The packages bring the Node that they need, whatever Node runs npm, and none of their scripts runs on the way. It is
# `install`, because `ci` insists on optional packages for machines that are not this one.
install_npm() {
  local from=$1 to=$2 log=build/logs/npm.log
  cmp --silent "$from/package-lock.json" "$to/installed.json" && return
  echo "Installing what $from/package.json names, from npm, in $to"
  mkdir -p "$to" build/logs && cp "$from"/package{,-lock}.json "$to" &&
    (cd "$to" && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error) >"$log" 2>&1 &&
    cp "$from/package-lock.json" "$to/installed.json" || {
    tail -n 15 "$log" >&2
    echo "npm failed (see above, or $log); the tests that need these packages are skipped." >&2
    return 1
  }
}
