#!/bin/sh
# Creates the Secrets that the pods use, from a file with NAME=value lines (docs/guides/deploy.md#kubernetes).
# Each has the variables of one kind of process. Existing Secrets stay unchanged.
set -eu
file=$1
namespace=holdfast

create() { # <name> <option>…, with the content as input
  name=$1
  shift
  if kubectl --namespace "$namespace" get secret "$name" >/dev/null 2>&1; then
    echo "secret/$name exists: not changed"
  else
    kubectl --namespace "$namespace" create secret generic "$name" "$@"
  fi
}

secret() { # <name> <variable>…: a `?` after a variable that may be missing
  name=$1
  shift
  lines=
  for variable in "$@"; do
    if line=$(grep -E "^${variable%\?}=." "$file"); then
      lines="$lines$line
"
    elif [ "$variable" = "${variable%\?}" ]; then
      echo "$file has no $variable" >&2
      exit 1
    fi
  done
  printf %s "$lines" | create "$name" --from-env-file=/dev/stdin
}

secret holdfast-database DATABASE_URL
secret holdfast-owner DATABASE_OWNER_URL
secret holdfast ENCRYPTION_KEY PICTURES_S3_ACCESS_KEY_ID? PICTURES_S3_SECRET_ACCESS_KEY?
secret holdfast-stripe STRIPE_SECRET_KEY
secret holdfast-api INTERNAL_TOKEN STRIPE_PLATFORM_WEBHOOK_SECRET STRIPE_CONNECT_WEBHOOK_SECRET
secret holdfast-worker SMTP_URL XERO_CLIENT_SECRET? WEBHOOK_PROXY_URL?
if grep -qE '^TEMPORAL_API_KEY=.' "$file"; then
  sed -n 's/^TEMPORAL_API_KEY=//p' "$file" | tr -d '\n' |
    create holdfast-temporal --from-file=api-key=/dev/stdin
else
  echo "$file has no TEMPORAL_API_KEY: create secret/holdfast-temporal with the files that settings.env" \
    "names, such as of TEMPORAL_TLS_CLIENT_KEY_PATH in place of TEMPORAL_TLS_CLIENT_KEY_DATA"
fi
