import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { VerifyPaymentInput, VerifyPaymentOutcome } from './contract.js';
import { settlePayment } from './settle-payment.js';

const { findPayment, wakeOwner } = proxyActivities<Activities>(OUTSIDE_CALL);

/**
 * The internal action `verify_payment` (spec.md, rule 6), for whoever needs its answer, and for a payment whose
 * booking or invoice checkout has no running workflow: over, or its run was lost. One run per intent or session.
 */
export async function verifyPayment(input: VerifyPaymentInput): Promise<VerifyPaymentOutcome> {
  const attention = new Attention();
  attention.waitFor('Finding the payment at the processor.');
  const found = await attention.keepTrying('finding the payment', () => findPayment(input));
  if (found.kind !== 'found') return found;
  const news = { paymentIntentId: found.paymentIntentId, source: input.source };
  const outcome = await settlePayment(attention, found.ownerId, news);
  if (outcome.kind === 'confirmed' && !outcome.already) {
    await attention.keepTrying('waking the run that waits for it', () =>
      wakeOwner({ ownerId: found.ownerId, news }),
    );
  }
  return outcome;
}
