#!/bin/sh
# Applies a release in its order (docs/operations.md#stopping-and-rolling-out): settings, migrations, deploy step, workers, API. Ends at
# the first step that fails; what was not reached runs on as it is. Can run again. Takes another folder with a kustomization.yaml.
set -eu
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
kubectl kustomize "${1:-$(dirname "$0")}" >"$manifests"

apply() { # <selector>
  kubectl apply --filename "$manifests" --selector "$1"
}

# Applies a Job, and waits until it has ended.
run() { # <step>
  apply "release-step=$1"
  until state=$(kubectl get --filename "$manifests" --selector "release-step=$1" \
    --output jsonpath='{.items[*].status.conditions[?(@.status=="True")].type}') && [ -n "$state" ]; do
    sleep "${POLL_SECONDS:-2}"
  done
  case " $state " in
    *" Complete "*) echo "$1: complete" ;;
    *)
      echo "$1: failed. The release ends here: kubectl logs --namespace holdfast --selector release-step=$1" >&2
      exit 1
      ;;
  esac
}

# Applies a Deployment, and waits until its pods are replaced.
roll() { # <step>
  apply "release-step=$1"
  kubectl rollout status --filename "$manifests" --selector "release-step=$1" --timeout 15m
}

apply '!release-step'
run migrate
run prepare
roll worker
roll api
