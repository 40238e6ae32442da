import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import type { Attention } from './attention.js';
import type { PaymentNews, VerifyPaymentOutcome } from './contract.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { startRefund } from './start-refund.js';

const { lookUpPayment } = proxyActivities<Activities>(OUTSIDE_CALL);
const { settleMoney } = proxyActivities<Activities>(TRANSACTION);

/**
 * `verify_payment` for one booking and one intent (spec.md, rules 6 and 7): asks the processor, then settles what
 * it says. Money that is refused goes back by a `refund` run of its own, which outlives its caller.
 */
export async function settlePayment(
  attention: Attention,
  bookingId: string,
  news: PaymentNews,
): Promise<VerifyPaymentOutcome> {
  const money = await attention.keepTrying('asking the processor about a payment', () =>
    lookUpPayment({ bookingId, paymentIntentId: news.paymentIntentId }),
  );
  if (!money) return { kind: 'unpaid', booking_id: bookingId };
  const settlement = await attention.keepTrying('storing a payment', () =>
    settleMoney({ bookingId, money, source: news.source }),
  );
  if (settlement.kind === 'refused') {
    await startRefund(settlement.refusal.refund_id, 'Gives back money that could not confirm its booking');
  }
  return settlement;
}
