import type Stripe from 'stripe';
import { findPaymentByIntent } from '../../../db/queries/payments/payment.js';
import { findWorkspaceOfMoney } from '../../../db/queries/workspaces/workspace.js';
import { disputeReported } from '../../../contract/payments/disputes.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { EventDependencies } from './event.js';

/** Has the disputes of a payment read from the processor. Waits for a payment that is not known yet. */
export async function reportDisputes(
  deps: EventDependencies,
  { account }: Stripe.Event,
  paymentIntentId: string | null,
): Promise<string> {
  if (!paymentIntentId || !account) return 'ignored: unknown payment';
  const payment = await findPaymentByIntent(deps.db.manager, paymentIntentId);
  if (payment && payment.account_id !== account) return 'ignored: unknown payment';
  const owner = payment ? null : await findWorkspaceOfMoney(deps.db.manager, account);
  const workspaceId = payment?.workspace_id ?? owner?.id;
  if (!workspaceId) return 'ignored: unknown account';
  await deps.temporal.workflow.signalWithStart(WORKFLOWS.paymentDisputes, {
    ...starts(deps.taskQueue).paymentDisputes(paymentIntentId, workspaceId),
    signal: disputeReported,
  });
  return `reading disputes of ${paymentIntentId}`;
}
