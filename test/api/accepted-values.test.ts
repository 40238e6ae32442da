import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import * as fc from 'fast-check';
import joi from 'joi';
import { timeZone } from '../../api/http/fields.js';
import { publicRoutes } from '../../api/openapi/document.js';
import { toJsonSchema, type JsonSchema } from '../../api/openapi/json-schema.js';
import { name } from '../../api/resources/shared/name.js';
import { addApiFormats } from '../support/api-formats.js';
import { router } from '../support/described-api.js';
import { NUMBERS, TEXTS } from './near-values.js';

const ajv = new Ajv2020({ strict: false });
addApiFormats(ajv);

/** A value in a request that is neither object nor list: its schema, and its description in the document. */
interface Leaf {
  place: string;
  schema: joi.Schema;
  json: JsonSchema;
}

function expandLeaf({ place, schema, json }: Leaf): Leaf[] {
  const { keys, items, matches } = schema.$_terms as {
    keys?: { key: string; schema: joi.Schema }[] | null;
    items?: joi.Schema[];
    matches?: { schema: joi.Schema }[];
  };
  if (schema.type === 'object')
    return (keys ?? []).flatMap(({ key, schema: inner }) =>
      expandLeaf({ place: `${place}.${key}`, schema: inner, json: json.properties![key]! }),
    );
  if (matches)
    return matches.flatMap((match, n) =>
      expandLeaf({ place: `${place}|${n}`, schema: match.schema, json: json.anyOf![n]! }),
    );
  if (schema.type === 'array')
    return items!.length === 1
      ? expandLeaf({ place: `${place}[]`, schema: items![0]!, json: json.items! })
      : [];
  return [{ place, schema, json }];
}

/** The values of all requests, each kind once: many differ only in their descriptions. */
function collectLeaves(side: 'body' | 'query'): Leaf[] {
  const kinds = new Map<string, Leaf>();
  for (const { route, facts } of publicRoutes(router)) {
    const schema = facts[side];
    if (!schema) continue;
    for (const leaf of expandLeaf({ place: `${route} ${side}`, schema, json: toJsonSchema(schema) })) {
      const { description: _, ...said } = leaf.json;
      const rules = JSON.stringify(leaf.schema.describe(), (key, value) =>
        key === 'description' ? undefined : (value as unknown),
      );
      kinds.set(`${JSON.stringify(said)} ${rules}`, leaf);
    }
  }
  return [...kinds.values()];
}

/** Random texts that match a pattern, or any texts. */
function randomTexts({ pattern }: JsonSchema): string[] {
  const texts = fc.string({ unit: 'binary', maxLength: 12 });
  const matching = pattern ? fc.oneof(fc.stringMatching(new RegExp(pattern, 'u')), texts) : texts;
  return fc.sample(matching, { numRuns: 300, seed: 1 });
}

/**
 * What the document can only describe, as no schema can express it: whether something exists, when the
 * request is sent, and results of a computation.
 */
const DESCRIBED: { refusal: RegExp; why: string }[] = [
  { refusal: /^"v" must be an IANA time zone/, why: 'zones come and go with the IANA database' },
  {
    refusal: /^"v" must be in the future, at most \d+ days from now$/,
    why: 'it depends on the time of the request',
  },
  { refusal: /^"v" must be in the years 1970 to 9999/, why: 'the year in UTC is computed' },
  { refusal: /^"v" must be darker: its contrast/, why: 'the contrast is computed' },
  {
    refusal: /^"v" must have no more than \d decimal places$/,
    why: 'multiples of 0.01 are not exact in binary',
  },
];

/**
 * Names outside of ASCII must look like one line of text, which is defined with Unicode classes. The test
 * below covers the names in the document.
 */
const isDescribedName = ({ schema }: Leaf, value: unknown): boolean =>
  typeof value === 'string' &&
  /[^\0-\x7f]/.test(value) &&
  schema.validate(value).error?.details[0]?.message.includes('one line of visible text') === true;

for (const side of ['body', 'query'] as const)
  test(`every value of a ${side} that the document allows is accepted`, (t) => {
    const kinds = collectLeaves(side);
    t.true(kinds.length > 10, `${kinds.length} kinds`);
    const refusals = new Map<string, string[]>();
    let accepted = 0;
    for (const leaf of kinds) {
      const { place, schema, json } = leaf;
      const allows = ajv.compile(json);
      const around = joi.object({ v: schema });
      for (const value of [
        ...TEXTS,
        ...NUMBERS,
        ...randomTexts(json),
        ...(json.enum ?? []),
        true,
        false,
        null,
      ]) {
        // JSON for interchange has no other texts (RFC 7493), and a query has only texts.
        if (!allows(value) || (typeof value === 'string' && /\p{Surrogate}/u.test(value))) continue;
        if (side === 'query' && value === null) continue;
        const sent = side === 'query' ? String(value) : value;
        const { error } = around.validate({ v: sent }, { convert: side === 'query' });
        if (!error) accepted++;
        else if (
          !DESCRIBED.some(({ refusal }) => refusal.test(error.message)) &&
          !isDescribedName(leaf, value)
        )
          refusals.set(place, [
            ...(refusals.get(place) ?? []),
            `${JSON.stringify(value).slice(0, 80)}: ${error.message}`,
          ]);
      }
    }
    t.true(accepted > 1_000, `${accepted}`);
    t.deepEqual(Object.fromEntries([...refusals].map(([place, each]) => [place, each.slice(0, 10)])), {});
  });

test('the document forbids invisible characters and addresses in names', (t) => {
  const allows = ajv.compile(toJsonSchema(name));
  for (const text of [
    'Ada',
    'A',
    'Ada Lovelace',
    'Booking.com B.V.',
    'Kids@Work GmbH',
    'می‌خواهم',
    '👩‍👩‍👧',
    'Łódź',
    'O’Neill & Söhne',
  ])
    t.true(allows(text), text);
  for (const text of [
    '',
    ' ',
    ' Ada',
    'Ada ',
    'Ada\nLovelace',
    'a://b',
    'www.example',
    'see example.com/a',
    'ada@example.com',
    '\u3000',
  ])
    t.false(allows(text), JSON.stringify(text));
  const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
  const isJoiner = (code: number): boolean => code === 0x20_0c || code === 0x20_0d;
  for (let code = 0; code < 0x1_00_00; code++) {
    const text = `A${String.fromCharCode(code)}B`;
    if (unseen.test(text) && !isJoiner(code)) t.false(allows(text), code.toString(16));
  }
});

test('the document allows every accepted value in its usual spellings', (t) => {
  const allows = (schema: joi.Schema, value: unknown): boolean => ajv.validate(toJsonSchema(schema), value);
  for (const zone of ['utc', 'UTC', ...Intl.supportedValuesOf('timeZone')])
    if (!timeZone.validate(zone).error) t.true(allows(timeZone, zone), zone);
});
