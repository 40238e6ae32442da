import test from 'ava';
import { ResponseCache } from '../../api/http/response-cache.js';
import { MINUTE_MS } from '../../domain/durations.js';

const NOW = Date.parse('2029-12-01T10:00:30Z');
const ROOM = { id: 'room-1', time_zone: 'Europe/London', facts: '{"claims":[]}' };

test('a room’s availability is computed once for the same facts, request and minute', async (t) => {
  const written = new ResponseCache();
  let computed = 0;
  const ask = async (room: typeof ROOM, key: string, now: number): Promise<number> => {
    const before = computed;
    const write = async (): Promise<Buffer> => Buffer.from(`answer ${++computed}`);
    await written.of(`${room.id} ${key}`, [room.facts], now, write);
    return computed - before;
  };
  t.is(await ask(ROOM, 'May pro', NOW), 1);
  t.is(await ask(ROOM, 'May pro', NOW + 29_000), 0);
  t.is(await ask({ ...ROOM, id: 'room-2' }, 'May pro', NOW), 1, 'another room');
  t.is(await ask(ROOM, 'May basic', NOW), 1, 'another tier or range');
  t.is(
    await ask({ ...ROOM, facts: '{"claims":[1]}' }, 'May pro', NOW),
    1,
    'a booking that was made a moment ago',
  );
  t.is(await ask(ROOM, 'May pro', NOW), 1, 'and that was cancelled again');
  t.is(await ask(ROOM, 'May pro', NOW + MINUTE_MS), 1, 'what has begun meanwhile is closed');
});

test('facts are the same only if each of them is', async (t) => {
  const written = new ResponseCache();
  const write = (text: string) => () => Buffer.from(text);
  const pages = [['a', null], ['a', ''], ['a'], ['a', null, 'b'], [null, 'a']];
  for (const facts of pages) {
    const json = await written.of('page', facts, NOW, write(JSON.stringify(facts)));
    t.is(json.toString(), JSON.stringify(facts));
  }
});

test('responses written as the minute ends are not kept, and the cache is limited to a few megabytes', async (t) => {
  const written = new ResponseCache();
  const large = Buffer.alloc(5 * 1024 * 1024);
  const other = { ...ROOM, id: 'room-2' };
  await written.of(ROOM.id, [ROOM.facts], NOW, async () => {
    await written.of(other.id, [other.facts], NOW + MINUTE_MS, async () => large);
    return large;
  });
  const isKept = async (room: typeof ROOM): Promise<boolean> => {
    let kept = true;
    await written.of(room.id, [room.facts], NOW + MINUTE_MS, async () => {
      kept = false;
      return large;
    });
    return kept;
  };
  t.true(await isKept(other));
  t.false(await isKept(ROOM));
  t.false(await isKept({ ...ROOM, id: 'room-3' }));
});

test('what callers write into their requests counts towards the limit too', async (t) => {
  const written = new ResponseCache();
  let computed = 0;
  const ask = (n: number) => {
    const key = `${n} ${' '.repeat(1024 * 1024)}`;
    return written.of(key, [], NOW, () => Buffer.from(String(++computed)));
  };
  for (let n = 0; n < 16; n++) await ask(n);
  for (let n = 0; n < 16; n++) await ask(n);
  t.true(computed > 24, String(computed));
});

test('many short answers, each a slice of a buffer, stay within the limit too', async (t) => {
  const written = new ResponseCache();
  let computed = 0;
  const ask = (n: number) => written.of(String(n), [], NOW, () => Buffer.from(`answer ${++computed}`));
  for (let n = 0; n < 3_000; n++) await ask(n);
  for (let n = 0; n < 3_000; n++) await ask(n);
  t.true(computed > 4_500, String(computed));
});
