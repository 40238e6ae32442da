#!/bin/sh
# Pins images and GitHub actions by digest, next to the tag for readers. Run it where Docker and GitHub can be
# reached, and again to update to the current digest of a tag (docs/operations.md#pinned-images). Prints what
# it has pinned.
set -eu
cd "${1:-$(dirname "$0")/..}"
workflows=$(find .github/workflows -name '*.yml')
# Kubernetes manifests refer to the service's own image by its release.
images="Dockerfile compose.yaml $(echo ops/backup/*.yaml ops/prometheus/*.yaml)"

# Replaces `what`, with or without a digest, where the line ends with it or continues after it.
pin() { # <what> <pinned> <file>…
  what=$1 pinned=$2
  shift 2
  pattern=$(printf %s "$what" | sed 's/[.]/\\./g')
  sed -E -i "s#(FROM|image:) $pattern(@sha256:[0-9a-f]{64})?( |\$)#\1 $pinned\3#" "$@"
  echo "$pinned"
}

# shellcheck disable=SC2086
grep -ohE '^(FROM|  +image:) [^ ]+' $images | sed -E 's/^.* //; s/@.*//' | sort -u | while read -r image; do
  # The image that compose.yaml builds.
  [ "$image" = holdfast ] && continue
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  expr "$digest" : 'sha256:[0-9a-f]\{64\}$' >/dev/null || { echo "no digest of $image: $digest" >&2; exit 1; }
  # shellcheck disable=SC2086
  pin "$image" "$image@$digest" $images
done

# shellcheck disable=SC2086
grep -ohE 'uses: [^ ]+@[^ ]+( # .*)?' $workflows | sort -u | while read -r _ action; do
  name=${action%%@*}
  version=${action##*[@ ]}
  commit=$(git ls-remote "https://github.com/$name" "refs/tags/$version" "refs/tags/$version^{}" |
    tail -n 1 | cut -f 1)
  if ! expr "$commit" : '[0-9a-f]\{40\}$' >/dev/null; then
    echo "no commit of $name $version: $commit" >&2
    exit 1
  fi
  sed -E -i "s|uses: $name@.*|uses: $name@$commit # $version|" $workflows
  echo "$name@$commit # $version"
done
