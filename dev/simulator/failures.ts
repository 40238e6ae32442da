/** A call that is made to fail. */
export interface Failure {
  method?: string;
  /** A path, or the beginning of one with `*` at its end. */
  path: string;
  /** The status that is answered; 0 closes the connection without an answer. */
  status: number;
  /** For how many calls it holds. */
  times: number;
  /** Does the work first: the answer is lost, not the request. */
  after_effect: boolean;
}

/** The failure that is meant for this call, and what is left once it has been counted. */
export function nextFailure<F extends Failure>(
  failures: F[],
  method: string,
  path: string,
): { failure: F; left: F[] } | undefined {
  const failure = failures.find((each) => matches(each, method, path));
  if (!failure) return undefined;
  const left = failures
    .map((each) => (each === failure ? { ...each, times: each.times - 1 } : each))
    .filter((each) => each.times > 0);
  return { failure, left };
}

function matches(failure: Failure, method: string, path: string): boolean {
  if (failure.method && failure.method.toUpperCase() !== method) return false;
  return failure.path.endsWith('*') ? path.startsWith(failure.path.slice(0, -1)) : path === failure.path;
}
