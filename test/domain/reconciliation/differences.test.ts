import test from 'ava';
import fc from 'fast-check';
import {
  movedAtProcessor,
  movedInAccounting,
  type ComparedPayment,
} from '../../../domain/reconciliation/differences.js';

const OCTOBER = { from: 0, to: 31 };
const NOVEMBER = { from: 31, to: 61 };
const BOTH = { from: 0, to: 61 };
const within =
  ({ from, to }: { from: number; to: number }) =>
  (at: Date): boolean =>
    at.getTime() >= from && at.getTime() < to;

const partsArbitrary = fc
  .array(
    fc.record({ amount_minor: fc.integer({ min: 1, max: 100 }), day: fc.integer({ min: 0, max: 60 }) }),
    {
      maxLength: 5,
    },
  )
  .map((parts) =>
    parts
      .toSorted((a, b) => a.day - b.day)
      .map(({ amount_minor, day }) => ({ amount_minor, at: new Date(day) })),
  );

test('what the accounting system has received counts by the days of its money, and two periods add up to both', (t) => {
  fc.assert(
    fc.property(
      partsArbitrary,
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 0, max: 60 }),
      (parts, amount, otherwise) => {
        const moved = (period: typeof BOTH): number =>
          movedInAccounting(amount, parts, within(period), new Date(otherwise));
        t.is(moved(BOTH), amount);
        t.is(moved(OCTOBER) + moved(NOVEMBER), amount);
        const total = parts.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
        if (parts.length === 0 || amount !== total) return;
        const ofOctober = parts.filter(({ at }) => within(OCTOBER)(at));
        t.is(
          moved(OCTOBER),
          ofOctober.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
        );
      },
    ),
  );
});

test('a difference at the processor counts only in the period of the payment', (t) => {
  const payment: ComparedPayment = {
    payment_id: 'pay_1',
    invoice_id: 'inv_1',
    amount_minor: 100,
    refunded_minor: 30,
    disputed_minor: 0,
    currency: 'GBP',
    moved_minor: 100,
    is_received_within: true,
    charge: { amount_minor: 100, refunded_minor: 30, disputed_minor: 0, currency: 'GBP' },
  };
  const refunded = { moved_minor: -30, is_received_within: false };
  t.is(movedAtProcessor(payment), 100);
  t.is(movedAtProcessor({ ...payment, ...refunded }), -30);
  const charge = { ...payment.charge!, refunded_minor: 50 };
  t.is(movedAtProcessor({ ...payment, charge }), 80, 'a refund of 20 that the ledger lacks');
  t.is(movedAtProcessor({ ...payment, ...refunded, charge }), -30);
  t.is(movedAtProcessor({ ...payment, charge: null }), 0);
});
