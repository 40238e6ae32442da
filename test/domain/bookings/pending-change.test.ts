import { MINUTE_MS } from '../../../domain/durations.js';
import test from 'ava';
import {
  afterRefusedCharge,
  changeExpiry,
  notChargedBy,
  paymentOfDifference,
} from '../../../domain/bookings/pending-change.js';
import type { ApiError } from '../../../domain/errors.js';

test('a difference is charged to the card on file, paid by link without a card, and refused without either, unless it was already taken', (t) => {
  const decide = (
    difference: number,
    hasCard: boolean,
    onAuthentication: 'fail' | 'link',
    isTaken = false,
  ) => {
    try {
      return paymentOfDifference(difference, { isTaken, hasCard, onAuthentication });
    } catch (error) {
      const { code, context } = error as ApiError;
      return [code, context.details];
    }
  };
  for (const onAuthentication of ['fail', 'link'] as const) {
    t.is(decide(0, false, onAuthentication), 'none');
    t.is(decide(-500, false, onAuthentication), 'none');
    t.is(decide(500, true, onAuthentication), 'charge');
    t.is(decide(-500, true, onAuthentication, true), 'none');
    for (const hasCard of [true, false]) t.is(decide(500, hasCard, onAuthentication, true), 'desk');
  }
  t.is(decide(500, false, 'link'), 'link');
  const details = { reason: 'no_card_on_file', authentication_required: true };
  t.deepEqual(decide(500, false, 'fail'), ['payment_failed', details]);
});

test('a refused charge becomes a link only if the payer could pay', (t) => {
  const after = (code: string, onAuthentication: 'fail' | 'link') => {
    const next = afterRefusedCharge(notChargedBy(code), onAuthentication);
    return next === 'link' ? next : next.error.context.details!.authentication_required;
  };
  t.is(after('authentication_required', 'link'), 'link');
  t.is(after('no_card_on_file', 'link'), 'link');
  t.is(after('authentication_required', 'fail'), true);
  for (const code of ['generic_decline', 'insufficient_funds', 'canceled'])
    for (const onAuthentication of ['fail', 'link'] as const)
      t.is(after(code, onAuthentication), false, code);
});

test('a pending change lapses after the hold, 30 minutes at most, and never past the edit window or the new time', (t) => {
  const now = Date.UTC(2030, 0, 7, 10);
  const lapse = (
    hold_seconds: number,
    minutesToStart: number,
    edit_window_minutes = 60,
    minutesToNewEnd = 900,
  ): number =>
    (changeExpiry({
      now,
      hold_seconds,
      start_at: new Date(now + minutesToStart * MINUTE_MS),
      end_at: new Date(now + (minutesToStart + 60) * MINUTE_MS),
      edit_window_minutes,
      new_end: now + minutesToNewEnd * MINUTE_MS,
    }).getTime() -
      now) /
    MINUTE_MS;
  t.is(lapse(1_800, 600), 30);
  t.is(lapse(60, 600), 1);
  t.is(lapse(86_400, 600), 30);
  t.is(lapse(1_800, 70), 10);
  t.is(lapse(1_800, 60), 0);
  t.is(lapse(1_800, 20, 0), 20);
  t.is(lapse(1_800, 600, 60, 15), 15);
});
