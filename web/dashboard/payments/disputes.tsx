import type { PaymentRow } from '../../../db/queries/billing/payment.js';
import { isDisputeClosed, type DisputeStatus } from '../../../domain/states.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
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

export function Disputes({ ctx, payment }: { ctx: ApiContext; payment: PaymentRow }) {
  const { amount, moment } = formatsOf(ctx);
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
            name: 'Respond by',
            show: ({ due_by, status }) =>
              due_by && !isDisputeClosed(status) ? (
                <b class="alert">{moment(new Date(due_by))}, at Stripe</b>
              ) : (
                ''
              ),
          },
          { name: 'ID', show: ({ id }) => <Id of={id} /> },
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
