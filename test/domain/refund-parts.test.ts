import test from '../support/suite.js';
import { formatMoney } from '../../domain/display.js';
import { describeRefundParts, type RefundPart } from '../../domain/refund-parts.js';

const part = (amount_minor: number, status: RefundPart['status'] = 'succeeded', by_hand = false) => ({
  amount_minor,
  status,
  by_hand,
});
const describe = (...parts: RefundPart[]) => describeRefundParts(parts, 'GBP', 'Harbour House', formatMoney);

test('a refund is described with its total and parts, and only as far as it went to the payer', (t) => {
  t.is(describe(part(1_234)), '£12.34 has been refunded to the card or account you paid with.');
  t.is(
    describe(part(3_000), part(1_500)),
    '£45.00 has been refunded to the cards or accounts you paid with, one part for each payment: £30.00 and £15.00.',
  );
  t.is(
    describe(part(3_000), part(1_500, 'pending')),
    '£45.00 is being refunded to the cards or accounts you paid with, one part for each payment. £30.00 has been refunded. £15.00 is still being refunded, which can take the bank several days.',
  );
  t.is(
    describe(part(3_000, 'failed'), part(1_500, 'pending')),
    '£15.00 is being refunded to the card or account you paid with, which can take the bank several days. A refund of £30.00 has failed. Harbour House has been notified.',
  );
  t.is(
    describe(part(3_000), part(1_067, 'succeeded', true)),
    '£30.00 has been refunded to the card or account you paid with. £10.67, which was not paid by card, is returned by Harbour House.',
  );
  t.is(describe(part(3_000, 'failed')), null);
});
