import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import type { Attention } from './attention.js';
import type { PaymentNotification, VerifyPaymentOutcome } from './contract.js';
import { startDisputes } from './start-disputes.js';
import { startAdoption, startRefund } from './start-refund.js';

const { lookUpPayment } = proxyActivities<Activities>(OUTSIDE_CALL);
const { settleMoney } = proxyActivities<Activities>(TRANSACTION);

/**
 * Verifies one payment intent for the owner of a checkout and settles it
 * (docs/architecture.md#payment-confirmation). A refused payment is refunded by its own `refund` run, which outlives
 * the caller. Refunds and disputes from before we knew about the payment are adopted. `attention` decides how long a
 * failing step is retried.
 */
export async function settlePayment(
  attention: Pick<Attention, 'retryUntilDone'>,
  ownerId: string,
  { paymentIntentId, source }: PaymentNotification,
): Promise<VerifyPaymentOutcome> {
  const money = await attention.retryUntilDone('verifying a payment', () =>
    lookUpPayment({ ownerId, paymentIntentId }),
  );
  if (!money) return { kind: 'unpaid' };
  const settlement = await attention.retryUntilDone('storing a payment', () =>
    settleMoney({ ownerId, money, source }),
  );
  if (settlement.kind === 'refused') await startRefund(settlement.refusal.refund_id, 'late');
  if (settlement.kind === 'confirmed' && settlement.excess_refund_id)
    await startRefund(settlement.excess_refund_id, 'overpaid');
  if (settlement.kind === 'confirmed' && money.refunded_minor) await startAdoption(paymentIntentId);
  if (money.disputed) await startDisputes(paymentIntentId);
  return settlement;
}
