import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import type { Attention } from './attention.js';
import type { PaymentNotification, VerifyPaymentOutcome } from './contract.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { startAdoption, startRefund } from './start-refund.js';

const { lookUpPayment } = proxyActivities<Activities>(OUTSIDE_CALL);
const { settleMoney } = proxyActivities<Activities>(TRANSACTION);

/**
 * `verify_payment` for one checkout's owner and one intent (spec.md, rules 6 and 7): asks the processor, then settles what
 * it says. Money that is refused goes back by a `refund` run of its own, which outlives its caller. What was given back
 * at the processor before we knew of the payment is adopted.
 */
export async function settlePayment(
  attention: Attention,
  ownerId: string,
  news: PaymentNotification,
): Promise<VerifyPaymentOutcome> {
  const money = await attention.keepTrying('asking the processor about a payment', () =>
    lookUpPayment({ ownerId, paymentIntentId: news.paymentIntentId }),
  );
  if (!money) return { kind: 'unpaid' };
  const settlement = await attention.keepTrying('storing a payment', () =>
    settleMoney({ ownerId, money, source: news.source }),
  );
  if (settlement.kind === 'confirmed' && settlement.excess_refund_id)
    await startRefund(settlement.excess_refund_id, 'Gives back what was paid over the total');
  if (settlement.kind === 'confirmed' && money.refunded_minor) await startAdoption(news.paymentIntentId);
  if (settlement.kind === 'refused') {
    await startRefund(settlement.refusal.refund_id, 'Gives back money that could not confirm its booking');
  }
  return settlement;
}
