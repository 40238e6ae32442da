import test from 'ava';
import type { ApiError } from '../../../domain/errors.js';
import { minimumCharge } from '../../../domain/processor/amounts.js';
import { assertChargeable, pageNotOpened, whyNotTakePayments } from '../../../domain/processor/refusals.js';

test('each currency with a minimum charge has it', (t) => {
  const minimums: [string, number][] = [
    ...'USD EUR AUD BRL CAD CHF INR NZD SGD'.split(' ').map((code): [string, number] => [code, 50]),
    ['GBP', 30],
    ['AED', 200],
    ['CZK', 1_500],
    ['DKK', 250],
    ['HKD', 400],
    ['HUF', 17_500],
    ['JPY', 50],
    ['KRW', 50],
    ['MXN', 1_000],
    ['MYR', 200],
    ['NOK', 300],
    ['PLN', 200],
    ['RON', 200],
    ['SEK', 300],
    ['THB', 1_000],
  ];
  const refusal = (currency: string, amount_minor: number): string | undefined =>
    t.throws<ApiError>(() => assertChargeable({ currency, amount_minor }))?.code;
  for (const [currency, minimum] of minimums) {
    t.is(minimumCharge(currency), minimum, currency);
    t.is(refusal(currency, minimum - 1), 'amount_too_small', currency);
    t.notThrows(() => assertChargeable({ currency, amount_minor: minimum }), currency);
  }
  t.is(minimumCharge('ISK'), 0);
  t.is(refusal('GBP', 100_000_000), 'validation_failed');
  t.is(refusal('ISK', 1_000_000), 'validation_failed');
});

test('a workspace cannot take payments without a processor account, or with a revoked one', (t) => {
  const account = { processor_account_id: 'acct_1', processor_status: 'active' as const };
  t.is(whyNotTakePayments(account), null);
  for (const change of [{ processor_account_id: null }, { processor_status: 'revoked' as const }])
    t.is(whyNotTakePayments({ ...account, ...change })!.code, 'processor_unconfigured');
});

test('an invoice’s payment page is refused with the details of the amount or the account', (t) => {
  const refusal = (...args: Parameters<typeof pageNotOpened>) => {
    const { status, context } = pageNotOpened(...args);
    return { status, details: context.details };
  };
  const amount = { amount_minor: 35, currency: 'GBP' };
  t.deepEqual(refusal('amount_too_small', { amount }), {
    status: 422,
    details: { ...amount, minimum_minor: 30 },
  });
  t.deepEqual(refusal('processor_unconfigured'), { status: 412, details: { reason: 'processor_account' } });
  t.deepEqual(refusal('processor_error', { amount }), { status: 502, details: { reason: 'not_opened' } });
});
