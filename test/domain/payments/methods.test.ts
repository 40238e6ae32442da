import test from 'ava';
import { describeMethod } from '../../../domain/invoices/words.js';
import {
  MANUAL_METHODS,
  PAYMENT_METHODS,
  SENT_METHODS,
  toManualMethod,
  toPaymentMethod,
} from '../../../domain/payments/methods.js';
import { getWords } from '../../../domain/words/words.js';

test('every payment method but card can be recorded by people, also by its alias', (t) => {
  t.deepEqual(
    [...MANUAL_METHODS].toSorted(),
    PAYMENT_METHODS.filter((method) => method !== 'card').toSorted(),
  );
  t.is(toManualMethod('terminal'), 'card_terminal');
  t.is(toManualMethod('transfer'), 'bank_transfer');
  for (const sent of SENT_METHODS) t.true(MANUAL_METHODS.includes(toManualMethod(sent)), sent);
});

test('every payment method of the processor maps to one of ours', (t) => {
  for (const method of PAYMENT_METHODS) t.is(toPaymentMethod(method), method);
  t.is(toPaymentMethod('sepa_debit'), 'bank_transfer');
  t.is(toPaymentMethod('ideal'), 'bank_transfer');
  t.is(toPaymentMethod('klarna'), 'other');
});

test('payers see the payment method in their language', (t) => {
  const [english, german] = [getWords('en'), getWords('de')];
  const means = (words: typeof english, method: string): string =>
    describeMethod(words, { method, last4: null });
  t.is(means(german, 'bank_transfer'), 'Überweisung');
  t.is(means(german, 'cheque'), 'Scheck');
  t.is(means(german, 'sepa_debit'), 'Lastschrift');
  t.is(means(english, 'ideal'), 'bank transfer');
  t.is(means(english, 'klarna'), 'klarna');
});
