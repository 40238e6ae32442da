import { findPaymentByIntent } from '../../../db/queries/payments/payment.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { text } from '../../../api/http/fields.js';
import { object } from '../../../api/http/typed.js';
import type { VerifyPaymentOutcome } from '../../../contract/payments/payments.js';
import { requestVerification } from '../../../api/resources/payments/verify.js';
import { describeVerification } from '../bookings/ask-processor.js';
import { action, form } from '../forms/form.js';
import { hidden } from '../forms/inputs.js';

const ASK_WITHIN_MS = 8_000;

/** Verifies a payment on a workspace's account. The account does not know payments of other workspaces. */
async function verifyOwn(
  deps: ApiDependencies,
  workspaceId: string,
  paymentIntentId: string,
): Promise<VerifyPaymentOutcome> {
  const workspace = await findWorkspace(deps.db.manager, workspaceId);
  const known = await findPaymentByIntent(deps.db.manager, paymentIntentId);
  const accountId = workspace?.processor_account_id;
  if (!accountId || (known && known.workspace_id !== workspaceId)) return { kind: 'unknown' };
  return requestVerification(
    deps,
    { paymentIntentId, accountId, source: 'scheduler_self_heal' },
    ASK_WITHIN_MS,
  );
}

/**
 * Looks up an unknown payment intent at the processor, and records the payment if it belongs to the
 * workspace.
 */
export const askAboutPayment = action({
  capability: 'write_billing',
  body: object({ payment_intent_id: text(255).pattern(/^pi_\w+$/) }, 'payment_intent_id'),
  run: ({ body: { payment_intent_id: id } }, { workspace_id }, deps) =>
    verifyOwn(deps, workspace_id, id)
      .then(describeVerification)
      .catch((error) => {
        deps.log.warn({ err: error, paymentIntentId: id }, 'dashboard could not check with the processor');
        return 'Stripe did not respond in time. Try again.';
      }),
});

export const ask = form(
  askAboutPayment,
  { payment_intent_id: hidden<{ q: string }>(({ q }) => q) },
  {
    path: '/ask',
    button: 'Look up this payment in Stripe',
    notice: (said) => said,
    to: (_, { submitted }) => `/search?q=${String(submitted.payment_intent_id)}`,
  },
);
