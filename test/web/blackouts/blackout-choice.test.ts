import test from 'ava';
import { isInTheWay, type BookingPlan } from '../../../domain/blackouts/plan.js';
import { encodeChoice, parseChoice } from '../../../web/dashboard/blackouts/choice.js';

const ROOM = '01890a5d-ac96-774b-bcce-b302099a8057';
const PLANS: BookingPlan[] = [
  { do: 'move', room_id: ROOM, start_at: 1_795_000_000_000, end_at: 1_795_003_600_000, difference_minor: 0 },
  {
    do: 'move',
    room_id: ROOM,
    start_at: 1_795_000_000_000,
    end_at: 1_795_003_600_000,
    difference_minor: -500,
  },
  { do: 'cancel', refund_policy: 'full', refund_minor: 3_000 },
  { do: 'cancel', refund_policy: 'standard', refund_minor: 0 },
  { do: 'tell' },
  { do: 'keep' },
];

test('a choice in the form restores the plan it was made from', (t) => {
  for (const plan of PLANS) t.deepEqual(parseChoice(encodeChoice(plan)), plan);
});

for (const choice of [
  '',
  'none',
  'cancel none 0',
  'cancel full',
  'cancel full -1',
  `move ${ROOM} 1 2 500`,
  `move x 1 2 0`,
])
  test(`a choice is refused: ${choice || 'nothing'}`, (t) => {
    t.throws(() => parseChoice(choice), { message: 'Choose what happens to each booking.' });
  });

test('a live booking conflicts if its own time overlaps, not if its turnaround does or it is only adjacent', (t) => {
  const at = (hour: number) => new Date(Date.UTC(2027, 0, 1, hour));
  const blackout = { start_at: at(10), end_at: at(12) };
  const closed = new Set([ROOM, 'a part of it']);
  const booking = { room_id: ROOM, status: 'confirmed' as const, start_at: at(11), end_at: at(13) };
  t.true(isInTheWay(booking, blackout, closed));
  t.true(isInTheWay({ ...booking, status: 'pending_payment' }, blackout, closed));
  t.false(isInTheWay({ ...booking, status: 'cancelled' }, blackout, closed));
  t.true(isInTheWay({ ...booking, room_id: 'a part of it' }, blackout, closed));
  t.false(isInTheWay({ ...booking, room_id: 'another' }, blackout, closed));
  t.false(isInTheWay({ ...booking, start_at: at(12) }, blackout, closed));
  t.false(isInTheWay({ ...booking, start_at: at(9), end_at: at(10) }, blackout, closed));
});
