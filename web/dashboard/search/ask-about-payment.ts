import { findPaymentByIntent } from '../../../db/queries/payments/payment.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import type { VerifyPaymentOutcome } from '../../../contract/payments/payments.js';
import { requestVerification } from '../../../api/resources/payments/verify.js';
import { resultOf } from '../bookings/ask-processor.js';
import { redirectWithNotice } from '../shared/notice.js';

const ASK_WITHIN_MS = 8_000;

export const askFields = {
  payment_intent_id: text(255)
    .pattern(/^pi_\w+$/)
    .required(),
};

/** Verifies a payment on the account of a workspace. One of another workspace is unknown to it. */
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

/** Asks the processor about a payment intent that is not known here. A payment of ours is then recorded. */
export function askAboutPayment(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { payment_intent_id: paymentIntentId } = ctx.state.body as { payment_intent_id: string };
    const notice = await verifyOwn(deps, ctx.state.membership!.workspace_id, paymentIntentId)
      .then(resultOf)
      .catch((error) => {
        deps.log.warn({ err: error, paymentIntentId }, 'dashboard could not ask the processor');
        return 'Stripe did not respond in time. Try again.';
      });
    redirectWithNotice(
      ctx,
      `/dashboard/${ctx.state.membership!.workspace_id}/search?q=${paymentIntentId}`,
      notice,
    );
  };
}
