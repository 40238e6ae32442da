import test from 'ava';
import { WrittenAvailability } from '../../api/resources/availability/written.js';
import { MINUTE_MS } from '../../domain/durations.js';

const NOW = Date.parse('2029-12-01T10:00:30Z');
const ROOM = { id: 'room-1', time_zone: 'Europe/London', facts: '{"claims":[]}' };

test('the availability of a room is computed once for the same facts, request and minute', async (t) => {
  const written = new WrittenAvailability();
  let computed = 0;
  const ask = async (room: typeof ROOM, key: string, now: number): Promise<number> => {
    const before = computed;
    const write = async (): Promise<Buffer> => Buffer.from(`answer ${++computed}`);
    await written.of(room, key, now, write);
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

test('what is written while the minute ends is not kept, nor more than some megabytes', async (t) => {
  const written = new WrittenAvailability();
  const large = Buffer.alloc(5 * 1024 * 1024);
  const other = { ...ROOM, id: 'room-2' };
  await written.of(ROOM, 'May', NOW, async () => {
    await written.of(other, 'May', NOW + MINUTE_MS, async () => large);
    return large;
  });
  const isKept = async (room: typeof ROOM): Promise<boolean> => {
    let kept = true;
    await written.of(room, 'May', NOW + MINUTE_MS, async () => {
      kept = false;
      return large;
    });
    return kept;
  };
  t.true(await isKept(other));
  t.false(await isKept(ROOM));
  t.false(await isKept({ ...ROOM, id: 'room-3' }));
});
