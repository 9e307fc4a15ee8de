#!/bin/bash
# Checks every import under Sources against arrows.txt, and that nothing there imports all of
# Foundation. Prints what it finds as file:line: sentence, and then fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# Sources/<house>/<module>: every module and the house it lives in.
modules=$(find -L Sources -mindepth 2 -maxdepth 2 -type d | sort)

{
  sed 's/^/arrows /' Scripts/arrows.txt
  sed -E 's|^Sources/([^/]+)/(.+)$|lives \2 \1|' <<<"$modules"
  # `import Module`, whatever attributes and access level stand before it, and whatever
  # declaration alone is imported.
  grep -rnE --include='*.swift' \
    '^[[:space:]]*(@[A-Za-z_]+(\([^)]*\))?[[:space:]]+)*((public|package|internal|private|fileprivate)[[:space:]]+)?import[[:space:]]' \
    Sources \
    | sed -E 's/^([^:]+):([0-9]+):.*import[[:space:]]+((struct|class|enum|protocol|func|typealias|let|var)[[:space:]]+)?([A-Za-z_0-9]+).*/import \1 \2 \5/'
} | awk '
  $1 == "arrows" && $2 == "house" { rank[$3] = ++houses }
  $1 == "arrows" && $2 == "module" {
    narrowed[$3] = 1
    for (i = 4; i <= NF; i++) allowed[$3, $i] = 1
  }
  $1 == "lives" {
    home[$2] = $3
    if (!($3 in rank)) complain("Sources/" $3, "arrows.txt does not say where this house stands")
  }
  $1 == "import" {
    split($2, path, "/")
    from = path[3]
    to = $4
    place = $2 ":" $3
    if (to == "Foundation") complain(place, "import FoundationEssentials instead of Foundation")
    if (!(to in home) || to == from) next
    if (from in narrowed) {
      if (!((from, to) in allowed)) complain(place, from " may not import " to)
    } else if (rank[home[from]] > rank[home[to]]) {
      complain(place, from " of " home[from] " may not import " to " of " home[to] ", above it")
    }
  }
  function complain(place, sentence) { print place ": " sentence "."; bad = 1 }
  END { exit bad }
' || {
  echo "The arrows between modules are described in CONTRIBUTING.md and kept in Scripts/arrows.txt." >&2
  exit 1
}
