#!/bin/sh
# builtins_doc.sh VIV: docs/builtins.md is what the entries of the builtins say. To renew it:
#     viv doc --markdown > docs/builtins.md
"$1" doc --markdown | diff -u docs/builtins.md - && exit 0
echo "builtins_doc.sh: docs/builtins.md is stale; renew it with: viv doc --markdown > docs/builtins.md"
exit 1
