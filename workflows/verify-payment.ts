import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { VerifyPaymentInput, VerifyPaymentOutcome } from '../contract/payments/payments.js';
import { followSettled, verifyAndSettle } from './verify-and-settle.js';

const { findPayment, notifyOwnerRun } = proxyActivities<Activities>(OUTSIDE_CALL);

/**
 * The internal action `verify_payment` (docs/internals/architecture.md#payment-confirmation), for callers
 * that need its outcome and for payments whose booking or invoice checkout has no running workflow. There is
 * one run per intent or session.
 */
export async function verifyPayment(input: VerifyPaymentInput): Promise<VerifyPaymentOutcome> {
  const attention = new Attention();
  attention.showStatus('Looking for the payment at the processor.');
  const found = await attention.retryUntilDone('finding the payment', () => findPayment(input));
  if (found.kind === 'unpaid' || found.kind === 'unknown') return found;
  const { ownerId, paymentIntentId } = found;
  const payment = { paymentIntentId, source: input.source };
  if (found.kind === 'adopted') await followSettled(found.settled);
  const { outcome } =
    found.kind === 'adopted' ? found.settled : await verifyAndSettle(attention, ownerId, payment);
  if (outcome.kind === 'confirmed' && !outcome.already) {
    await attention.retryUntilDone('notifying the run that waits for it', () =>
      notifyOwnerRun({ ownerId, payment }),
    );
  }
  return outcome;
}
