import type joi from 'joi';
import type { Deprecation } from './meta.js';
import { readMeta } from './meta.js';
import type { Typed } from './typed.js';

/** How long what is to go stays: docs/guides/versions.md#what-is-to-go. */
const MONTHS = 12;

/** Throws if what is to go would not stay for as long as announced. */
export function assertLongEnough({ since, sunset }: Deprecation): void {
  const earliest = new Date(`${since}T00:00:00Z`);
  earliest.setUTCMonth(earliest.getUTCMonth() + MONTHS);
  if (!(new Date(`${sunset}T00:00:00Z`) >= earliest))
    throw new Error(`The sunset ${sunset} must be at least ${MONTHS} months after ${since}.`);
}

/** Marks a field or a parameter that is to go. Throws if it would go too soon. */
export function deprecated<S extends Typed<unknown>>(schema: S, deprecation: Deprecation): S {
  assertLongEnough(deprecation);
  return schema.meta({ deprecated: deprecation }) as S;
}

/** A field that is to go, by its path; `[]` is any item of a list. */
export interface DeprecatedField {
  path: readonly string[];
  deprecation: Deprecation;
}

/** The fields of a schema that are to go. */
export function deprecatedFields(schema: joi.Schema, path: readonly string[] = []): DeprecatedField[] {
  const { keys, items, matches } = schema.$_terms as {
    keys?: { key: string; schema: joi.Schema }[] | null;
    items?: joi.Schema[];
    matches?: { schema: joi.Schema }[];
  };
  const { deprecated } = readMeta(schema);
  return [
    ...(deprecated ? [{ path, deprecation: deprecated }] : []),
    ...(keys ?? []).flatMap(({ key, schema: inner }) => deprecatedFields(inner, [...path, key])),
    ...(items ?? []).flatMap((inner) => deprecatedFields(inner, [...path, '[]'])),
    ...(matches ?? []).flatMap((match) => deprecatedFields(match.schema, path)),
  ];
}

function hasField(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (step === '[]') return Array.isArray(value) && value.some((item) => hasField(item, rest));
  return typeof value === 'object' && value !== null && hasField(value[step as keyof object], rest);
}

/** Of fields that are to go, when those go that a value has. */
export const usedIn = (value: unknown, fields: readonly DeprecatedField[]): Deprecation[] =>
  fields.filter(({ path }) => hasField(value, path)).map(({ deprecation }) => deprecation);

/**
 * The headers of a response that has to do with what is to go: the earliest announcement and the earliest
 * end, as in RFC 9745 and RFC 8594. None without any.
 */
export function deprecationHeaders(deprecations: readonly Deprecation[]): Record<string, string> {
  const [since] = deprecations.map((each) => each.since).sort();
  const [sunset] = deprecations.map((each) => each.sunset).sort();
  if (since === undefined || sunset === undefined) return {};
  return {
    Deprecation: `@${Date.parse(`${since}T00:00:00Z`) / 1000}`,
    Sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
  };
}
