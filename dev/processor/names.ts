/** The names in a text, separated by spaces or line breaks. */
export type NamesIn<S extends string> = S extends `${infer A}\n${infer B}`
  ? NamesIn<A> | NamesIn<B>
  : S extends `${infer A} ${infer B}`
    ? NamesIn<A> | NamesIn<B>
    : S extends ''
      ? never
      : S;

/** The same value under each name of a text. */
export function underNames<S extends string, T>(names: S, value: T): Record<NamesIn<S>, T> {
  const all = names.split(/\s+/).filter((name) => name !== '');
  return Object.fromEntries(all.map((name) => [name, value])) as Record<NamesIn<S>, T>;
}

/** Fields of an object in Stripe's shape that are always null here. */
export const nulls = <S extends string>(names: S): Record<NamesIn<S>, null> => underNames(names, null);
