import type { SettledReport } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import type { Attention } from './attention.js';
import type { PaymentReport } from '../contract/payments/payments.js';
import { firstInTask } from './in-task.js';
import { startAdoption, startDisputes, startRefund } from './start-child.js';

const settleReport = firstInTask((activities) => activities.settleReport, OUTSIDE_CALL);

/** The key of a report without an intent. The processor is queried once for all of these that wait. */
export const CHECKOUT_KEY = 'checkout';

/** Returns the key of a report. Reports of the same payment have the same key. */
export const reportKey = ({ paymentIntentId = CHECKOUT_KEY }: PaymentReport): string => paymentIntentId;

/**
 * Verifies a reported payment for the owner of a checkout and settles it, in one workflow task
 * (docs/internals/architecture.md#payment-confirmation). A refused payment is refunded by its own `refund`
 * run, which outlives the caller. Refunds and disputes from before we knew about the payment are adopted.
 * `attention` decides how long a failing step is retried.
 */
export async function verifyAndSettle(
  attention: Pick<Attention, 'retryUntilDone'>,
  ownerId: string,
  report: PaymentReport,
): Promise<SettledReport> {
  const settled = await attention.retryUntilDone('verifying a payment', () =>
    settleReport({ ownerId, report }),
  );
  await followSettled(settled);
  return settled;
}

/**
 * Starts the runs for what is left to do after a payment was settled: its refund, and earlier refunds and
 * disputes.
 */
export async function followSettled(settled: Omit<SettledReport, 'state'>): Promise<void> {
  const { outcome, paymentIntentId, refunded, disputed } = settled;
  if (outcome.kind === 'refused') await startRefund(outcome.refusal.refund_id, 'late');
  if (outcome.kind === 'confirmed' && outcome.excess_refund_id)
    await startRefund(outcome.excess_refund_id, 'overpaid');
  // A refund of all late money is refused if part of it was already refunded. In that case the adoption
  // refunds the rest.
  if (refunded) await startAdoption(paymentIntentId!);
  if (disputed) await startDisputes(paymentIntentId!);
}
