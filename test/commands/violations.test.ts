import test from 'ava';
import { db } from '../support/stack.js';

// Sizes and rates per second of the buckets of a key, a calendar, an address and a throttled caller.
const BUCKETS = '{{600,10},{500,1.6666666666666667},{60,1},{20,0.3333333333333333}}';
const START = Date.parse('2027-03-01T10:00:00Z');
const FULL = 600;
const THROTTLED = 20;

/**
 * The size of a key's bucket after requests at these times, in ms from the first; `[ms, n]` is `n` concurrent
 * requests. The first are refused by the key's own bucket, which has a token again after 100 ms, or by the
 * calendar bucket, which has one after 600 ms.
 */
async function sizeAfter(refusing: 'own' | 'calendar', requests: (number | [number, number])[]) {
  const at = (ms: number): string => new Date(START + ms).toISOString();
  let own = `(key_1,${refusing === 'own' ? 0 : FULL},Infinity,"${at(0)}",{},,)`;
  let shared: string | null = refusing === 'own' ? null : `(ws_1,0,Infinity,"${at(0)}",{},,)`;
  let size = 0;
  for (const [n, request] of requests.entries()) {
    const [ms, count] = [request].flat() as [number, number?];
    const [taken] = await db.query(
      `SELECT own::text, shared::text, allowed, own_size
       FROM take_tokens($1::text::rate_limit_buckets, $2::text::rate_limit_buckets, ${FULL}, 10, true, 1, $3,
         $4::float8[], $5)`,
      [own, shared, count ?? 1, BUCKETS, at(ms)],
    );
    if (n === 0 && taken.allowed > 0) throw new Error('the first requests must be refused');
    own = taken.own;
    shared = shared && taken.shared;
    size = taken.own_size;
  }
  return size;
}

for (const refusing of ['own', 'calendar'] as const) {
  const bucket = refusing === 'own' ? "a key's bucket" : "a calendar's bucket";
  test(`two requests between 250 ms after a 429 of ${bucket} and Retry-After throttle the key`, async (t) => {
    t.is(await sizeAfter(refusing, [[0, 2], 250, 251]), THROTTLED);
    t.is(await sizeAfter(refusing, [[0, 2], 998, 999]), THROTTLED, 'Retry-After is a full second');
    t.is(
      await sizeAfter(refusing, [
        [0, 2],
        [300, 2],
      ]),
      THROTTLED,
      'concurrent',
    );
  });

  test(`requests of ${bucket} that were already sent, are later, or outnumber the 429s are not violations`, async (t) => {
    t.is(await sizeAfter(refusing, [[0, 5], 10, 100, 249]), FULL);
    t.is(await sizeAfter(refusing, [[0, 5], 1_000, 1_001]), FULL);
    t.is(await sizeAfter(refusing, [0, 250, 251, 252]), FULL, 'one 429, one violation');
  });

  test(`two violations of ${bucket} within ten minutes throttle the key for ten minutes`, async (t) => {
    const minutes = 600_000;
    // The first violation is at 250 ms; then the bucket is used up again.
    const twice = (second: number) => sizeAfter(refusing, [0, 250, [minutes - 100, FULL + 1], second]);
    t.is(await twice(minutes + 249), THROTTLED);
    t.is(await twice(minutes + 250), FULL, 'the first one is ten minutes old');
    const later = (ms: number) => sizeAfter(refusing, [[0, 2], 250, 251, 251 + ms]);
    t.is(await later(minutes - 1), THROTTLED);
    t.is(await later(minutes), FULL);
  });
}
