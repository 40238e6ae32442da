import test from 'ava';
import { findLeaves, possibleParts, whyNotParts, type RoomOfParts } from '../../../domain/rooms/parts.js';

/** Rooms by id with their parts: `hall: 'a b'`. */
const rooms = (parts: Record<string, string>, archived: string[] = []): RoomOfParts[] =>
  Object.entries(parts).map(([id, list]) => ({
    id,
    parts: list.split(' ').filter(Boolean),
    archived: archived.includes(id),
  }));

const leaves = (parts: Record<string, string>): Record<string, string> =>
  Object.fromEntries([...findLeaves(rooms(parts))].map(([id, of]) => [id, [...of].toSorted().join(' ')]));

test('a room claims the indivisible rooms below it, a part claims itself, and a room without parts claims nothing', (t) => {
  t.deepEqual(leaves({ hall: 'a b', a: '', b: '', attic: '' }), { hall: 'a b', a: 'a', b: 'b' });
  t.deepEqual(leaves({ house: 'hall c', hall: 'a b', a: '', b: '', c: '' }), {
    house: 'a b c',
    hall: 'a b',
    a: 'a',
    b: 'b',
    c: 'c',
  });
});

test('a room may be a part of several, and of one in several ways', (t) => {
  t.deepEqual(leaves({ left: 'a b', right: 'b c', all: 'left right b', a: '', b: '', c: '' }), {
    left: 'a b',
    right: 'b c',
    all: 'a b c',
    a: 'a',
    b: 'b',
    c: 'c',
  });
});

/** Why the first room cannot have the parts, or null. */
const refusal = (parts: Record<string, string>, wanted: string, archived: string[] = []): string | null => {
  const all = rooms(parts, archived);
  return whyNotParts(all, all[0]!, wanted.split(' ').filter(Boolean))?.message ?? null;
};

test('parts are rooms of the workspace that are not archived, unless they are parts already', (t) => {
  t.is(refusal({ hall: '', a: '', b: '' }, 'a b'), null);
  t.regex(refusal({ hall: '', a: '' }, 'a elsewhere')!, /rooms of the workspace/);
  t.regex(refusal({ hall: '', a: '', b: '' }, 'a b', ['b'])!, /archived/);
  t.is(refusal({ hall: 'b', a: '', b: '' }, 'a b', ['b']), null);
  t.is(refusal({ hall: 'a', a: '' }, ''), null);
});

test('a room cannot be a part of itself, directly or through others', (t) => {
  t.regex(refusal({ hall: '', a: '' }, 'hall')!, /itself/);
  t.regex(refusal({ hall: '', a: 'b', b: 'hall' }, 'a')!, /itself/);
  t.is(refusal({ hall: '', a: 'b', b: '' }, 'a b'), null);
});

test('at most three levels are allowed below a room, counted from the rooms above it too', (t) => {
  t.is(refusal({ house: '', floor: 'hall', hall: 'a', a: '' }, 'floor'), null);
  t.regex(refusal({ site: '', house: 'floor', floor: 'hall', hall: 'a', a: '' }, 'house')!, /3 levels/);
  t.regex(refusal({ hall: '', site: 'house', house: 'floor', floor: 'hall', a: '' }, 'a')!, /3 levels/);
});

test('a room consists of at most 32 rooms, including those of its parts and of rooms above it', (t) => {
  const ids = Array.from({ length: 33 }, (_, n) => `r${n}`);
  const all = Object.fromEntries(ids.map((id) => [id, '']));
  t.is(refusal({ hall: '', ...all }, ids.slice(1).join(' ')), null);
  t.regex(refusal({ hall: '', half: ids.slice(0, 32).join(' '), ...all }, 'half r32')!, /32 parts/);
  t.regex(refusal({ half: '', hall: `half ${ids.slice(0, 31).join(' ')}`, ...all }, 'r31 r32')!, /32 parts/);
  t.is(refusal({ hall: '', half: ids.slice(0, 32).join(' '), ...all }, 'half r3'), null, 'once for each');
});

test('the possible parts of a room are exactly those that the rule allows one by one, in any house', (t) => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
  for (let building = 0; building < 50; building++) {
    const ids = Array.from({ length: 2 + random(building % 2 ? 12 : 60) }, (_, n) => `r${n}`);
    const all: RoomOfParts[] = ids.map((id) => ({ id, parts: [], archived: random(8) === 0 }));
    // In the larger houses, the first room is a hall with many parts.
    for (let n = random(2 * ids.length); n > 0; n--) {
      const room = all[building % 2 || n % 4 === 0 ? random(all.length) : 0]!;
      const parts = [...new Set([...room.parts, ids[random(ids.length)]!])];
      if (!whyNotParts(all, room, parts)) room.parts = parts;
    }
    for (const room of all)
      t.deepEqual(
        possibleParts(all, room),
        all.filter(({ id }) => room.parts.includes(id) || !whyNotParts(all, room, [...room.parts, id])),
      );
  }
});
