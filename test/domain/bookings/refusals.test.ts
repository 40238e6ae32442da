import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { whyNotCancel, whyNotChoose, whyNotWaive } from '../../../domain/bookings/cancellation.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import { whyNotTakePayment } from '../../../domain/payments/desk-payment.js';
import type { Refusal } from '../../../domain/errors.js';
import { whyNotMarkNoShow } from '../../../domain/bookings/no-show.js';
import { whyNotAnotherChange, whyNotWithdraw } from '../../../domain/bookings/pending-change.js';
import type { BookingStatus } from '../../../domain/states.js';

const START = new Date('2030-01-07T10:00:00Z');
const END = new Date('2030-01-07T11:00:00Z');
const booking = (status: BookingStatus) => ({ status, no_show_at: null, start_at: START, end_at: END });
/** This many hours after the start. */
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);
const formatRefusal = (refusal: Refusal | null): string | null =>
  refusal && `${refusal.code} ${refusal.details.reason}`;

test('a no-show can be marked from the start of the booking until a week after its end', (t) => {
  const cases: [BookingStatus, hours: number, string | null][] = [
    ['confirmed', -0.1, 'booking_not_started not_started'],
    ['confirmed', 0, null],
    ['completed', 24 * 7 + 1, null],
    ['completed', 24 * 7 + 1.1, 'booking_not_editable too_late'],
    ['pending_payment', 0, 'booking_not_editable status'],
    ['cancelled', 0, 'booking_not_editable status'],
    ['expired', 0, 'booking_not_editable status'],
  ];
  for (const [status, hours, expected] of cases)
    t.is(
      formatRefusal(whyNotMarkNoShow({ ...booking(status), no_show_at: null }, at(hours))),
      expected,
      `${status} ${hours}`,
    );
  const marked = { ...booking('completed'), no_show_at: START };
  t.is(formatRefusal(whyNotMarkNoShow(marked, END)), 'booking_not_editable marked');
});

test('a booking can be cancelled while it is live, until its end', (t) => {
  const cases: [BookingStatus, hours: number, string | null][] = [
    ['pending_payment', -1, null],
    ['confirmed', 0.9, null],
    ['confirmed', 1, 'booking_not_cancellable ended'],
    ['completed', 2, 'booking_not_cancellable status'],
    ['expired', -1, 'booking_not_cancellable status'],
  ];
  for (const [status, hours, expected] of cases)
    t.is(formatRefusal(whyNotCancel(booking(status), at(hours))), expected, `${status} ${hours}`);
  t.is(formatRefusal(whyNotChoose('full', 'member')), 'role_insufficient role');
  t.is(formatRefusal(whyNotChoose(0, 'billing_contact')), 'role_insufficient role');
  t.is(whyNotChoose('full', 'front_desk'), null, 'up to its limit');
  t.is(whyNotChoose('full', 'admin') ?? whyNotChoose(1, 'owner') ?? whyNotChoose('standard', 'member'), null);
  const partlyPaid = { paid_minor: 1 };
  t.is(formatRefusal(whyNotWaive(partlyPaid, 'standard', [50])), 'booking_not_cancellable partly_paid');
  t.is(formatRefusal(whyNotWaive(partlyPaid, 1, [0])), 'booking_not_cancellable partly_paid');
  t.is(whyNotWaive(partlyPaid, 'standard', [0]) ?? whyNotWaive(partlyPaid, 0, [0]), null);
  t.is(whyNotWaive({ paid_minor: 0 }, 'full', [100]), null);
});

test('an unpaid booking can be paid at the desk until its end', (t) => {
  const cases: [BookingStatus, hours: number, account_days: number | null, string | null][] = [
    ['pending_payment', 0.9, null, null],
    ['pending_payment', 1, null, 'booking_not_payable ended'],
    ['confirmed', 0, null, 'already_paid paid'],
    ['confirmed', 0, 14, 'booking_not_payable on_account'],
    ['completed', 2, null, 'already_paid paid'],
    ['cancelled', 0, null, 'booking_not_payable status'],
    ['expired', 0, null, 'booking_not_payable status'],
  ];
  for (const [status, hours, account_days, expected] of cases) {
    const facts = { ...booking(status), account_days, invoice_id: 'inv_1' };
    t.is(formatRefusal(whyNotTakePayment(facts, at(hours))), expected, `${status} ${hours}`);
  }
});

test('a booking can be changed until the edit window, its time and room only if it is paid, and one change at a time', (t) => {
  const cases: [BookingStatus, hours: number, moves: boolean, string | null][] = [
    ['confirmed', -1, true, null],
    ['confirmed', -0.9, false, 'booking_not_editable edit_window'],
    ['pending_payment', -2, false, null],
    ['pending_payment', -2, true, 'booking_not_editable unpaid'],
    ['cancelled', -2, false, 'booking_not_editable status'],
    ['completed', 2, true, 'booking_not_editable status'],
  ];
  for (const [status, hours, moves, expected] of cases) {
    const refusal = whyNotChange(booking(status), { edit_window_minutes: 60 }, at(hours).getTime(), {
      moves,
    });
    t.is(formatRefusal(refusal), expected, `${status} ${hours} ${moves}`);
  }
  const inAnHour = { edit_window_minutes: 60 };
  const running = at(0.5).getTime();
  t.is(whyNotChange(booking('confirmed'), inAnHour, running, { moves: true, lengthens: true }), null);
  t.deepEqual(
    [-0.1, 0, 0.9, 1].map((hours) => isRunning(booking('confirmed'), at(hours).getTime())),
    [false, true, true, false],
  );
  t.false(isRunning(booking('pending_payment'), running));
  t.false(isRunning({ ...booking('confirmed'), no_show_at: at(0.2) }, running), 'nobody came');
  t.is(whyNotAnotherChange(null), null);
  const unsettled = { id: 'chg_1', is_charge: false, expires_at: START };
  t.deepEqual(whyNotAnotherChange(unsettled)!.details, {
    reason: 'pending',
    change_id: 'chg_1',
    expires_at: START.toISOString(),
  });
  t.is(formatRefusal(whyNotAnotherChange({ ...unsettled, is_charge: true })), 'change_pending charging');
  t.is(formatRefusal(whyNotWithdraw(null)), 'not_found none_pending');
  t.is(whyNotWithdraw(unsettled), null);
});
