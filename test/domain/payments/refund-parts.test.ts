import test from 'ava';
import { formatMoney } from '../../../domain/display.js';
import {
  describeRefund,
  describeRefundParts,
  describeRefundToStaff,
  refundChoiceToStaff,
  type RefundPart,
} from '../../../domain/payments/refund-parts.js';
import { byHandMinor } from '../../../domain/bookings/refund-policy.js';
import { ENGLISH } from '../../../domain/words/words.js';

const part = (amount_minor: number, status: RefundPart['status'] = 'succeeded', by_hand = false) => ({
  amount_minor,
  status,
  by_hand,
});
const describe = (...parts: RefundPart[]) => describeRefundParts(ENGLISH, parts, 'GBP', 'Harbour House');

test('a refund is described with its total and parts, and only the parts that went to the payer', (t) => {
  t.is(describe(part(1_234)), '£12.34 has been refunded to the card or account you paid with.');
  t.is(
    describe(part(3_000), part(1_500)),
    '£45.00 has been refunded to the cards or accounts you paid with, in one refund for each ' +
      'payment: £30.00 and £15.00.',
  );
  t.is(
    describe(part(3_000), part(1_500, 'pending')),
    '£45.00 is being refunded to the cards or accounts you paid with, in one refund for each payment. ' +
      '£30.00 has been refunded. £15.00 is still being refunded. This can take the bank several days.',
  );
  t.is(
    describe(part(3_000, 'failed'), part(1_500, 'pending')),
    '£15.00 is being refunded to the card or account you paid with. This can take the bank several ' +
      'days. A refund of £30.00 has failed. Harbour House has been notified.',
  );
  t.is(
    describe(part(3_000), part(1_067, 'succeeded', true)),
    '£30.00 has been refunded to the card or account you paid with. Harbour House returns £10.67 ' +
      'directly, because it was not paid online.',
  );
  t.is(describe(part(3_000, 'failed')), null);
});

test('a refund still to be made says which part is returned automatically, and never whose card was used on account', (t) => {
  // Newest first: £20.00 by bank transfer, then £40.00 by card.
  const payments = [
    { id: 'pay_cash', refundable_minor: 2_000, refund_percent_cap: 100, by_hand: true },
    { id: 'pay_card', refundable_minor: 4_000, refund_percent_cap: 100, by_hand: false },
  ];
  const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency: 'GBP' });
  const said = (refund_minor: number, is_on_account = false) => {
    const refund = { refund_minor, by_hand_minor: byHandMinor(payments, refund_minor) };
    const payment = { payee: 'Harbour House', is_on_account };
    return [
      describeRefund(ENGLISH, refund, payment, amount).join(' '),
      describeRefundToStaff(refund, amount),
      refundChoiceToStaff(refund, amount),
    ];
  };
  const byHand = (of: string) => `Harbour House returns ${of} directly, because it was not paid online.`;
  t.deepEqual(said(1_500), [
    byHand('£15.00'),
    '£15.00 is refunded to the payer. The payment was not made online, so return the money yourself.',
    'refund £15.00 (not paid online, so return it yourself)',
  ]);
  t.deepEqual(said(3_000), [
    `£10.00 is refunded to the card or account you paid with. ${byHand('£20.00')}`,
    '£30.00 is refunded to the payer. £20.00 of this was not paid online, so return that amount yourself.',
    'refund £30.00 (£20.00 of it not paid online, so return that amount yourself)',
  ]);
  t.is(said(3_000, true)[0], `£10.00 is refunded to the original payment method. ${byHand('£20.00')}`);
  t.deepEqual(said(0), ['', 'Nothing is refunded.', 'no refund']);
});
