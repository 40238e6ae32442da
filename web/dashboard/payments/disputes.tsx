import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import { isDisputeClosed, type DisputeStatus } from '../../../domain/states.js';
import { disputeReason, EVIDENCE_WORDS } from '../../../domain/payments/dispute-words.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { Table } from '../shared/list.js';

/** What each status of a dispute means (docs/rules/billing.md#disputes). */
const DISPUTE_STATES: Record<DisputeStatus, string> = {
  inquiry: 'The bank has sent an inquiry about the payment. No money has moved.',
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
  if (payment.disputes.length === 0) return null;
  return (
    <>
      <h2>Disputes</h2>
      <Table
        rows={payment.disputes}
        empty=""
        columns={[
          { name: 'Opened', show: ({ created_at }) => moment(new Date(created_at)) },
          {
            name: 'Status',
            show: ({ status }) => (
              <>
                <Status value={status} /> <small>{DISPUTE_STATES[status]}</small>
              </>
            ),
          },
          {
            name: 'Reason',
            show: ({ reason }) => disputeReason(reason)?.says ?? '',
          },
          {
            name: 'Respond',
            show: ({ due_by, status }) =>
              due_by && !isDisputeClosed(status) ? <b class="alert">by {moment(new Date(due_by))}</b> : '',
          },
          {
            name: 'Evidence',
            show: ({ evidence, reason, status }) => (
              <>
                {evidence && EVIDENCE_WORDS[evidence]}
                {reason && !isDisputeClosed(status) && evidence !== 'submitted' && (
                  <small>What helps: {disputeReason(reason)!.helps}</small>
                )}
              </>
            ),
          },
          {
            name: 'In Stripe',
            show: ({ id, status }) => (
              <a href={disputeUrl(id, isLive)} rel="noreferrer">
                {isDisputeClosed(status) ? 'View dispute' : 'Respond to dispute'}
              </a>
            ),
          },
          {
            name: 'Amount',
            number: true,
            show: ({ amount_minor }) => amount(amount_minor, payment.currency),
          },
        ]}
      />
    </>
  );
}
