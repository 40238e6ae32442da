/** An injected failure of calls. */
export interface Failure {
  method?: string;
  /** A path, or a prefix that ends in `*`. */
  path: string;
  /** HTTP status of the response; 0 closes the connection without one. */
  status: number;
  /** How many calls fail. */
  times: number;
  /** Performs the call and then fails, as if the response were lost. */
  after_effect: boolean;
  /** The error code in the response, where the service has codes. */
  code?: string;
}

/** The failure that applies to a call, and the failures that remain after it. */
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
