/**
 * A function that makes something at its first call, for the tests of a file to
 * share, and returns it at each.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
