import test from 'ava';
import fc from 'fast-check';
import { billingDay, latestDay } from '../../domain/cycle.js';
import { cycleMoment, isCycleDue, latestMoment } from '../../domain/subscriptions/member-cycle.js';
import { UnknownTimeZone } from '../../domain/time-zone.js';
import { minuteOf2026To2030, zone } from '../support/zones.js';

/** The list for all workspaces includes at least what is due by any of their clocks. */
test('no clock has a later day or moment than the latest', (t) => {
  const asOf = fc.constantFrom(undefined, '2027-03-28', '2026-12-31');
  fc.assert(
    fc.property(minuteOf2026To2030, zone, asOf, (at, name, day) => {
      const now = new Date(at);
      const [here, latest] = [cycleMoment(name, day, now), latestMoment(day, now)];
      return (
        here.day <= latest.day && here.moment <= latest.moment && billingDay(name, now) <= latestDay(now)
      );
    }),
    { numRuns: 5_000 },
  );
  // The westernmost and easternmost time zones.
  const now = new Date('2026-06-01T11:00:00Z');
  t.is(latestMoment(undefined, now).day, cycleMoment('Pacific/Kiritimati', undefined, now).day);
  t.true(cycleMoment('Pacific/Pago_Pago', '2026-06-01').moment <= latestMoment('2026-06-01').moment);
});

test('a day of invoices begins at six in the morning, on either side of a clock change', (t) => {
  t.is(billingDay('Europe/London', new Date('2027-03-28T04:59:59Z')), '2027-03-27');
  t.is(billingDay('Europe/London', new Date('2027-03-28T05:00:00Z')), '2027-03-28');
  t.is(billingDay('Europe/London', new Date('2027-10-31T05:59:59Z')), '2027-10-30');
  t.is(billingDay('Pacific/Auckland', new Date('2026-12-31T17:00:00Z')), '2027-01-01');
});

test('an unknown time zone is not replaced by another one for decisions that depend on the zone', (t) => {
  const now = new Date();
  for (const decide of [
    () => cycleMoment('Mars/Olympus', undefined, now),
    () => billingDay('Mars/Olympus', now),
  ])
    t.is(
      t.throws(decide, { instanceOf: UnknownTimeZone })?.message,
      'The time zone "Mars/Olympus" is not known. Set another time zone.',
    );
});

test('a cycle is due by its day, the end of a trial or a lower tier', (t) => {
  const none = {
    status: 'active' as const,
    cycle_starts_on: null,
    trial_ends_at: null,
    pending_tier_at: null,
  };
  const at = { day: '2026-06-02', moment: new Date('2026-06-02T10:00:00Z') };
  const before = new Date('2026-06-02T09:59:59Z');
  t.false(isCycleDue(none, at));
  t.true(isCycleDue({ ...none, cycle_starts_on: '2026-06-02' }, at));
  t.false(isCycleDue({ ...none, cycle_starts_on: '2026-06-03' }, at));
  t.false(isCycleDue({ ...none, status: 'paused', cycle_starts_on: '2026-06-01' }, at));
  t.true(isCycleDue({ ...none, status: 'trialing', trial_ends_at: before }, at));
  t.false(isCycleDue({ ...none, status: 'trialing', trial_ends_at: at.moment }, at));
  t.true(isCycleDue({ ...none, status: 'paused', pending_tier_at: before }, at));
});
