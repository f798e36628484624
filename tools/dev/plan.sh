# A plan is a list of steps. run_plan prints each step, continues after a failure, and prints a summary.

plan_titles=()
plan_commands=()

# plan <title> <command> [argument…]
# `set -e` has no effect in the command: chain its steps with &&.
plan() {
  plan_titles+=("$1")
  plan_commands+=("$(printf '%q ' "${@:2}")")
}

run_plan() {
  local summary=() outcome failed=0 start count=${#plan_titles[@]} i
  for ((i = 0; i < count; i++)); do
    printf '\n[%d/%d] %s\n' $((i + 1)) "$count" "${plan_titles[i]}"
    start=$SECONDS outcome=ok
    eval "${plan_commands[i]}" || { outcome=FAILED failed=1; }
    summary+=("$(printf '%-6s %5d s  %s' "$outcome" $((SECONDS - start)) "${plan_titles[i]}")")
    printf '%s\n' "${summary[-1]}"
  done
  printf '\nSummary\n'
  printf '  %s\n' "${summary[@]}"
  return $failed
}
