import type { ExplainedStep } from '../shared/attention/steps.js';
import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import type { AttentionItem } from '../../../db/queries/workspaces/attention.js';
import { workflowIds } from '../../../contract/names.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { FailingStepText, findRunState } from '../shared/attention/run.js';

/** Each refund takes two calls to Temporal. */
const MAX_REFUNDS_READ = 10;

interface FailingRefund {
  refund: PaymentRow;
  failing: ExplainedStep[];
}

/** Refunds whose request fails and that do not need attention yet. */
export async function findFailingRefunds(
  deps: ApiDependencies,
  payments: PaymentRow[],
  attention: AttentionItem[],
): Promise<FailingRefund[]> {
  const listed = new Set(attention.map(({ refund_id }) => refund_id));
  const refunds = payments.filter(
    ({ id, kind, status }) => kind === 'refund' && status === 'pending' && !listed.has(id),
  );
  const found = await Promise.all(
    refunds.slice(0, MAX_REFUNDS_READ).map(async (refund) => {
      const state = await findRunState(deps, workflowIds.refund(refund.id));
      return { refund, failing: typeof state === 'object' ? state.failing : [] };
    }),
  );
  return found.filter(({ failing }) => failing.length > 0);
}

/** The refunds whose request fails, with the failing step. */
export function FailingRefunds({ ctx, of }: { ctx: ApiContext; of: FailingRefund[] }) {
  const formats = createFormats(ctx);
  return (
    <>
      {of.map(({ refund, failing }) => (
        <article class="card trouble" key={refund.id}>
          <strong>A refund keeps failing: {formats.money(refund)}</strong>
          {failing.map((step) => (
            <FailingStepText key={step.step} ctx={ctx} of={step} moment={formats.moment} />
          ))}
        </article>
      ))}
    </>
  );
}
