import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import { isDisputeClosed, type DisputeStatus } from '../../../domain/states.js';
import { disputeReason, EVIDENCE_WORDS } from '../../../domain/payments/dispute-words.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { About } from '../shared/action.js';
import { Status } from '../shared/status.js';

/** What each status of a dispute means (docs/rules/billing.md#disputes). */
const DISPUTE_STATES: Record<DisputeStatus, string> = {
  inquiry: 'The bank asks about the payment. No money has moved.',
  open: 'The bank disputes the amount.',
  won: 'Decided in your favour.',
  lost: 'Decided in the payer’s favour.',
  prevented: 'Resolved before it became a dispute.',
};

/** The page of a dispute at the processor, where evidence is submitted. */
const disputeUrl = (id: string, isLive: boolean): string =>
  `https://dashboard.stripe.com/${isLive ? '' : 'test/'}disputes/${encodeURIComponent(id)}`;

export function Disputes({
  ctx,
  isLive,
  payment,
}: {
  ctx: ApiContext;
  isLive: boolean;
  payment: PaymentRow;
}) {
  const { amount, moment } = createFormats(ctx);
  return payment.disputes.map(({ id, status, reason, due_by, evidence, created_at, amount_minor }) => (
    <About
      key={id}
      title={`Dispute of ${amount(amount_minor, payment.currency)}`}
      of={[
        [
          'Status',
          <>
            <Status value={status} /> <small>{DISPUTE_STATES[status]}</small>
          </>,
        ],
        due_by && !isDisputeClosed(status) && ['Respond', <b class="alert">by {moment(new Date(due_by))}</b>],
        reason && ['Reason', disputeReason(reason)!.says],
        evidence && [
          'Evidence',
          <>
            {EVIDENCE_WORDS[evidence]}
            {reason && !isDisputeClosed(status) && evidence !== 'submitted' && (
              <small>What helps: {disputeReason(reason)!.helps}</small>
            )}
          </>,
        ],
        ['Opened', moment(new Date(created_at))],
      ]}
    >
      <a class="button quiet" href={disputeUrl(id, isLive)} rel="noreferrer">
        {isDisputeClosed(status) ? 'View dispute' : 'Respond to dispute'}
      </a>
    </About>
  ));
}
