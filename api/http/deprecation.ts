import type joi from 'joi';
import type { Deprecation } from './meta.js';
import { readMeta } from './meta.js';
import type { Typed } from './typed.js';

/** How long something deprecated is kept: docs/guides/versions.md#deprecated-features. */
const MONTHS = 12;

/** Throws if something deprecated would be removed earlier than the policy allows. */
export function assertLongEnough({ since, sunset }: Deprecation): void {
  const earliest = new Date(`${since}T00:00:00Z`);
  earliest.setUTCMonth(earliest.getUTCMonth() + MONTHS);
  if (!(new Date(`${sunset}T00:00:00Z`) >= earliest))
    throw new Error(`The sunset ${sunset} must be at least ${MONTHS} months after ${since}.`);
}

/** Marks a field or a parameter as deprecated. Throws if it would be removed too soon. */
export function deprecated<S extends Typed<unknown>>(schema: S, deprecation: Deprecation): S {
  assertLongEnough(deprecation);
  return schema.meta({ deprecated: deprecation }) as S;
}

/** A deprecated field, by its path; `[]` stands for any item of a list. */
export interface DeprecatedField {
  path: readonly string[];
  deprecation: Deprecation;
}

/** The deprecated fields of a schema. */
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

/** The deprecations of those deprecated fields that a value contains. */
export const usedIn = (value: unknown, fields: readonly DeprecatedField[]): Deprecation[] =>
  fields.filter(({ path }) => hasField(value, path)).map(({ deprecation }) => deprecation);

/**
 * The headers of a response to a request that uses something deprecated: the earliest announcement and the
 * earliest removal (RFC 9745 and RFC 8594). Empty without deprecations.
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
