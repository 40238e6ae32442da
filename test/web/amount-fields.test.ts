import test from 'ava';
import { amountEntered, amountInput } from '../../web/dashboard/shared/money-field.js';

test('amounts are entered in the digits of their currency', (t) => {
  for (const [text, currency, minor] of [
    ['30', 'GBP', 3_000],
    [' £1,250.5 ', 'GBP', 125_050],
    ['-2.50', 'GBP', -250],
    ['1500', 'JPY', 1_500],
    ['1.234', 'KWD', 1_234],
    ['35,50', 'EUR', 3_550],
    ['€1.250,5', 'EUR', 125_050],
    ['1,250', 'EUR', 125_000],
    ['90071992547409.91', 'GBP', Number.MAX_SAFE_INTEGER],
    ['', 'GBP', null],
  ] as const)
    t.is(amountEntered(text, currency, 'amount'), minor, text);
  for (const [text, currency] of [
    ['1.234', 'GBP'],
    ['1.5', 'JPY'],
    ['1,5', 'JPY'],
    ['1,25,50', 'GBP'],
    ['1e3', 'GBP'],
    ['ten', 'GBP'],
  ] as const)
    t.throws(() => amountEntered(text, currency, 'amount'), { message: /^Enter an amount in / }, text);
  t.is(amountInput({ amount_minor: 1_234, currency: 'KWD' }), '1.234');
});
