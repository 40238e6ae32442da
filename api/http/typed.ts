import joi from 'joi';

declare const VALUE: unique symbol;
declare const DEFAULT: unique symbol;
declare const OPTIONAL: unique symbol;

/**
 * A joi schema and the type of the values that it returns. joi's own methods keep the type, so that rules and
 * descriptions are added as usual; what changes it is a function here.
 */
export type Typed<T, S extends joi.Schema = joi.AnySchema> = S & { readonly [VALUE]: T };
interface WithDefault {
  readonly [DEFAULT]: true;
}
interface Optional {
  readonly [OPTIONAL]: true;
}

/** The type of the values that a schema returns. */
export type Infer<S> = S extends { readonly [VALUE]: infer T } ? T : never;

/** A joi schema whose value type TypeScript cannot infer, for example after a `custom` that converts. */
export const typed = <T, S extends joi.Schema = joi.AnySchema>(schema: S): Typed<T, S> =>
  schema as Typed<T, S>;

/**
 * The values that a schema allows regardless of its other rules. `describe()` contains them too but takes
 * fifty times as long: too long, since every start calls this for every field.
 */
export const allowedBy = (schema: joi.Schema): unknown[] =>
  (schema as unknown as Record<'_valids', { values(): unknown[] } | null>)['_valids']?.values() ?? [];

export const string = typed<string, joi.StringSchema>(joi.string());
export const number = typed<number, joi.NumberSchema>(joi.number());
export const integer = number.integer();
export const boolean = typed<boolean, joi.BooleanSchema>(joi.boolean());
export const oneOf = <const V extends string>(values: readonly V[]): Typed<V, joi.StringSchema> =>
  typed(joi.string().valid(...values));
/**
 * One of a fixed set of values, which no release extends: an `enum` in responses too
 * (docs/guides/versions.md#what-can-grow).
 */
export const oneOfFixed = <const V extends string>(values: readonly V[]): Typed<V, joi.StringSchema> =>
  oneOf(values).meta({ fixed: true });
export const array = <T>(item: Typed<T>): Typed<T[], joi.ArraySchema> => typed(joi.array().items(item));
export const nullable = <T>(schema: Typed<T>): Typed<T | null> => typed(schema.allow(null));
export const withDefault = <T>(schema: Typed<T>, value: NoInfer<T>): Typed<T> & WithDefault =>
  schema.default(value as joi.BasicType) as Typed<T> & WithDefault;
/** For a field of a response that is not always there. */
export const optional = <T>(schema: Typed<T>): Typed<T> & Optional =>
  schema.optional() as Typed<T> & Optional;
export const either = <S extends Typed<unknown>[]>(...schemas: S): Typed<Infer<S[number]>> =>
  typed(joi.alternatives(...schemas));

/** The fields of an object. */
export type Fields = Record<string, Typed<unknown>>;
type Given<F extends Fields, R extends keyof F> =
  | R
  | { [K in keyof F]: F[K] extends WithDefault ? K : never }[keyof F];
/** An object's values: those of the fields `R` and of fields with a default are always there. */
export type Values<F extends Fields, R extends keyof F> = {
  [K in Given<F, R>]: Infer<F[K]>;
} & { [K in Exclude<keyof F, Given<F, R>>]?: Infer<F[K]> };
/** The names of the fields that are not `optional`. */
export type Mandatory<F extends Fields> = {
  [K in keyof F]: F[K] extends Optional ? never : K;
}[keyof F];

/** An object of optional fields, except for those named as required. */
export const object = <F extends Fields, R extends keyof F & string = never>(
  fields: F,
  ...required: R[]
): Typed<Values<F, R>, joi.ObjectSchema> =>
  typed(
    joi.object(
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          required.includes(name as R) ? field.required() : field,
        ]),
      ),
    ),
  );

/** An object with the same kind of value under each of some keys, all optional. */
export const keyed = <K extends string, T>(
  keys: readonly K[],
  value: Typed<T>,
): Typed<{ [Key in K]?: T }, joi.ObjectSchema> =>
  typed(joi.object(Object.fromEntries(keys.map((key) => [key, value]))));
