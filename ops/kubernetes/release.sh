#!/bin/sh
# Applies a release in order (docs/operations.md#stopping-and-rolling-out): settings, migrations, deploy step,
# workers, API. Stops at the first step that fails; later parts keep running as before. It can be repeated.
# The argument is another folder with a kustomization.yaml.
set -eu
namespace=holdfast
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
kubectl kustomize "${1:-$(dirname "$0")}" >"$manifests"

apply() { # <selector>
  kubectl apply --filename "$manifests" --selector "$1"
}

# Applies a Job, and waits until it has ended.
run() { # <step>
  job=$(kubectl apply --filename "$manifests" --selector "release-step=$1" --dry-run=client --output name)
  apply "release-step=$1"
  while :; do
    case " $(kubectl --namespace "$namespace" get "$job" \
      --output jsonpath='{.status.conditions[?(@.status=="True")].type}') " in
      *" Complete "*) break ;;
      *" Failed "*)
        echo "$1: failed. The release ends here: kubectl --namespace $namespace logs $job" >&2
        exit 1
        ;;
    esac
    sleep 2
  done
  echo "$1: complete"
}

# Applies a Deployment, and waits until its pods are replaced.
roll() { # <step>
  apply "release-step=$1"
  kubectl --namespace "$namespace" rollout status deployment --selector "release-step=$1" --timeout 15m
}

apply '!release-step'
run migrate
run prepare
roll worker
roll api
