# What test/docs-blocks/terminal.ts runs before the first block of a document.
set -eo pipefail
exec 2>&1

# Fails when the answer says so, unless a block is about an answer that is an error (FAIL is empty then). Ends a stream
# that would go on for ever.
curl() {
  local word wait=() code=0
  for word; do if [ "$word" = -N ]; then wait=(--max-time 3); fi; done
  command curl -sS $FAIL "${wait[@]}" "$@" || code=$?
  if [ "$code" = 28 ] && [ ${#wait[@]} -gt 0 ]; then code=0; fi
  return "$code"
}

# Packages that are here. Nothing is downloaded.
npx() { command npx --no-install "$@"; }
