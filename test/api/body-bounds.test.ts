import test from 'ava';
import { mergeFacts } from '../../api/http/route-facts.js';
import { readJson } from '../../api/http/body.js';
import { typed } from '../../api/http/typed.js';
import { validate } from '../../api/http/validate.js';
import { ApiError } from '../../domain/errors.js';
import { longestBlock } from '../support/longest-block.js';
import { router } from '../support/described-api.js';
import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** The maximum number of values in a body, and the number for which all errors are listed. */
const [MOST, LISTED] = [11_900, 990];
const BYTES = 1_000_000;

const fill = (count: number, item: string): string => Array(count).fill(item).join();
const fields = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"unknown_field_${n}":1`).join();

/** JSON bodies of about 1 MiB that any route reads. */
function worstBodies(names: string[]): [what: string, body: string][] {
  const values: [string, string][] = [
    ['many nulls', `[${fill(MOST, 'null')}]`],
    ['nulls', `[${fill(LISTED, 'null')}]`],
    ['many objects', `[${fill(MOST / 2, '{"x":1}')}]`],
    ['objects', `[${fill(LISTED / 2, '{"x":1}')}]`],
    ['unknown fields', `{${fields(LISTED)}}`],
    ['deep', '['.repeat(9_000) + ']'.repeat(9_000)],
    ['long', JSON.stringify('x'.repeat(BYTES))],
    ['spaces', JSON.stringify(`${' '.repeat(BYTES)}x`)],
    ['many @', JSON.stringify('a@'.repeat(BYTES / 2))],
    ['long address', JSON.stringify(`a@${'a.'.repeat(BYTES / 2)}`)],
    ['long number', `1${'0'.repeat(300)}`],
  ];
  return [
    ['unknown fields', `{${fields(LISTED)}}`],
    ['many unknown fields', `{${fields(MOST)}}`],
    ...names.flatMap((name) =>
      values.map(([what, value]): [string, string] => [`${name}: ${what}`, `{"${name}":${value}}`]),
    ),
  ];
}

/** Reads a body as the API does. */
function read(body: string): Promise<unknown> {
  const request = { length: Buffer.byteLength(body) };
  const req = Readable.from([Buffer.from(body)]);
  const ctx = { req, request, get: () => '', is: () => 'json', set: () => undefined };
  return readJson(ctx as unknown as Context);
}

const ROUTES = router.stack.flatMap(({ methods, path, stack }) => {
  const { body } = mergeFacts(stack);
  return body ? [{ route: `${methods.at(-1)} ${path}`, schema: body }] : [];
});

/** Bodies of about 1 MiB that are malformed or have more values than allowed. */
const REFUSED: [what: string, body: string][] = [
  ['arrays in arrays', '['.repeat(BYTES / 2) + ']'.repeat(BYTES / 2)],
  ['arrays that do not end', '['.repeat(BYTES)],
  ['objects in objects', '{"a":'.repeat(BYTES / 8) + 1 + '}'.repeat(BYTES / 8)],
  ['numbers', `[${fill(BYTES / 2, '1')}]`],
  ['empty objects', `[${fill(BYTES / 4, '{}')}]`],
  ['objects', `[${Array.from({ length: BYTES / 20 }, (_, n) => `{"k${n}":1}`).join()}]`],
  ['fields', `{${Array.from({ length: BYTES / 20 }, (_, n) => `"k${n}":1`).join()}}`],
  ['quotes', '"\\"'.repeat(BYTES / 4)],
  ['backslashes', `"${'\\'.repeat(BYTES)}`],
];

test.serial('a body with too many values is refused before it takes time', async (t) => {
  for (const [what, body] of REFUSED) {
    const refusal = await t.throwsAsync(() => read(body), { instanceOf: ApiError }, what);
    t.true(['validation_failed', 'invalid_json'].includes(refusal.code), what);
    const longest = await longestBlock(() => read(body).catch(() => undefined), 4);
    t.true(longest < 25, `${longest} ms: ${what}`);
  }
  const most = `[${fill(11_999, '"a,[{\\\\\\""')}]`;
  t.is(((await read(most)) as string[]).length, 11_999, 'what is in a string is no value');
});

test.serial('every route reads and validates any body in less than 100 ms', async (t) => {
  t.true(ROUTES.length > 40, String(ROUTES.length));
  const known = new Set<string>();
  for (const { route, schema } of ROUTES) {
    const { keys = {} } = schema.describe() as { keys?: Record<string, object> };
    // Fields with the same schema are validated alike.
    const names = Object.keys(keys).filter((name) => {
      const field = JSON.stringify(keys[name], (_, value) =>
        typeof value === 'function' ? String(value) : value,
      );
      return !known.has(field) && known.add(field);
    });
    for (const [what, body] of worstBodies(names)) {
      const once = () =>
        read(body)
          .then((value) => validate(typed(schema), value, false))
          .catch((error: unknown) => {
            if (!(error instanceof ApiError)) throw error;
          });
      // Repeated only if it seems slow, as code is compiled on its first run and garbage is collected.
      const first = await longestBlock(once, 1);
      const longest = first < 100 ? first : await longestBlock(once, 8);
      t.true(longest < 100, `${longest} ms: ${route}: ${what}`);
    }
  }
});
