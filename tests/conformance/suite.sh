# To be sourced: the official conformance suite, with the packages that ./dev test installed in $1.
# Exits with 77, which means "skipped" for ctest, if they are not installed.
folder=$1
for node in "$folder"/node_modules/node-linux-*/bin/node; do break; done
index=$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js
[ -x "$node" ] && [ -f "$index" ] || {
  echo "skipped: the packages of tests/interop are not installed in $folder; ./dev test does that"
  exit 77
}

scratch=$(mktemp -d)
suite() {
  "$node" "$index" "$@" --output-dir "$scratch/results"
}
