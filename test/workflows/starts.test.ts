import { msToNumber } from '@temporalio/common/lib/time.js';
import { MINUTE_MS } from '../../domain/durations.js';
import test from 'ava';
import { TRANSACTION_AWAITED } from '../../workflows/activity-options.js';
import { starts } from '../../contract/starts.js';

const bookingIn = (room_name: string) => ({
  id: 'bk_1',
  workspace_id: 'ws_1',
  room_id: 'room',
  room_name,
  time_zone: 'Europe/London',
  start_at: new Date('2027-01-31T10:00:00Z'),
  end_at: new Date('2027-01-31T11:00:00Z'),
});
const summaryIn = (name: string): string => starts('queue').booking(bookingIn(name)).staticSummary;

test('the summary of a booking has at most 200 bytes, and always the time', (t) => {
  const short = summaryIn('Blue room');
  t.true(short.startsWith('Blue room, '));
  const time = short.slice('Blue room'.length);
  for (const name of ['x'.repeat(200), 'ü'.repeat(200), '👩‍🚀'.repeat(60), '会'.repeat(200)]) {
    const summary = summaryIn(name);
    t.true(Buffer.byteLength(summary) <= 200, `${Buffer.byteLength(summary)} bytes`);
    t.true(summary.endsWith(`…${time}`));
    t.false(summary.includes('\uFFFD'), 'no character is cut in two');
    t.true(Buffer.byteLength(summary) > 190, 'no more is cut than necessary');
  }
});

test('a transaction that waits for the database becomes a server timer after some attempts', (t) => {
  const localRetryThreshold = MINUTE_MS;
  t.is(TRANSACTION_AWAITED.localRetryThreshold, undefined);
  t.true(msToNumber(TRANSACTION_AWAITED.retry!.maximumInterval!) > localRetryThreshold);
});
