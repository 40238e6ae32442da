/** A value that is made when it is first needed, and then kept. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Methods<T> = { [K in keyof T]: (...args: never[]) => Promise<unknown> };

/** An object of asynchronous methods that is loaded when one of them is first called. */
export function loadedLazily<T extends Methods<T>>(load: () => Promise<T>): T {
  const loaded = lazily(load);
  return new Proxy({} as T, {
    get:
      (_, name) =>
      async (...args: never[]) =>
        (await loaded())[name as keyof T](...args),
  });
}
