import test from 'ava';
import { availableMinor, whyNotOnAccount, whyNotOwe, type Credit } from '../../../domain/invoices/credit.js';

const GBP = (amount_minor: number) => ({ amount_minor, currency: 'GBP' });

const CREDIT: Credit = {
  unpaid_minor: 0,
  limit_minor: null,
  limit_currency: 'GBP',
  is_mixed: false,
  is_refused: false,
};

test('a payer may owe up to the limit, and nothing while an invoice is overdue', (t) => {
  const credit = { ...CREDIT, unpaid_minor: 4_000, limit_minor: 5_000 };
  t.is(whyNotOwe(credit, GBP(1_000)), null);
  t.deepEqual(whyNotOwe(credit, GBP(1_001))!.details, { available_minor: 1_000, reason: 'limit' });
  t.is(whyNotOwe({ ...credit, limit_minor: null }, GBP(9_999_999)), null);
  const overdue = { ...credit, limit_minor: null, is_refused: true };
  t.deepEqual(whyNotOwe(overdue, GBP(1))!.details, { available_minor: 0, reason: 'overdue' });
  t.is(availableMinor({ ...credit, limit_minor: 3_000 }), 0);
});

test('with a limit, nothing may be owed in a currency that cannot be compared with it', (t) => {
  const mixed = { ...CREDIT, limit_minor: 5_000, is_mixed: true };
  t.deepEqual(whyNotOwe(mixed, { amount_minor: 1, currency: 'JPY' })!.details, {
    available_minor: 0,
    reason: 'currency',
  });
  t.is(availableMinor(mixed), 0);
  t.is(whyNotOwe({ ...mixed, limit_minor: null }, GBP(9_999_999)), null);
});

test('a payer can book on account only with payment terms, and a guest never', (t) => {
  t.is(whyNotOnAccount({ payment_terms: 0 }), null);
  t.is(whyNotOnAccount({ payment_terms: null })!.details.reason, 'no_terms');
  t.is(whyNotOnAccount(null)!.details.reason, 'guest');
});
