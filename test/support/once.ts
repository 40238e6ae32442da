/**
 * A function that creates a value at its first call, shared by the tests of a file, and returns it at each
 * call.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
