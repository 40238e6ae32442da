import {
  listAttentionItems,
  type AttentionItem,
} from '../../../db/repositories/workspaces/attention-queries.js';
import { formatMoney } from '../../../domain/money.js';
import { describeBooking } from '../../../domain/presenters/booking.js';
import { searchAttributes } from '../../../workflows/contract.js';
import type { ApiDependencies } from '../../dependencies.js';
import { formatAt } from '../shared/layout.js';

const MAX_SHOWN = 50;
const QUERY_TEMPORAL_WITHIN_MS = 3_000;

/** What each kind of problem means and what an operator can do (docs/operations.md#attention). */
const EXPLANATIONS: Record<AttentionItem['kind'], { what: string; todo: string }> = {
  hold_not_ended: {
    what: 'The hold has expired, but the slot has not been released',
    todo: 'The payment could not be verified with the payment processor, or the run is missing. This is retried automatically; the hourly job restarts a missing run.',
  },
  change_not_charged: {
    what: 'A change is waiting for a card charge',
    todo: 'Both slots are held until the payment processor confirms whether the card was charged.',
  },
  not_completed: {
    what: 'The booking has ended but is not completed',
    todo: 'Its run is missing or stuck. Open the run in Temporal to see why. The hourly job restarts a missing run.',
  },
  refund_failed: {
    what: 'A refund failed',
    todo: 'The payer has not received the money. Check the payment with the payment processor, then refund it again.',
  },
  refund_not_requested: {
    what: 'A refund could not be sent to the payment processor',
    todo: 'The processor does not respond, or the account is no longer connected. This is retried automatically. Open the run in Temporal to see the reason.',
  },
  refund_pending: {
    what: 'A refund has been pending for more than a day',
    todo: 'Banks can take several days. The refund is tracked until it succeeds or fails; no action is needed.',
  },
  disputed: {
    what: 'A payment is disputed',
    todo: 'Respond to the dispute with the payment processor before its deadline.',
  },
  refund_unfunded: {
    what: 'A refund waits for balance',
    todo: 'Add funds to the account at the payment processor. The refund is tried again when there is balance, and every day.',
  },
  not_in_accounting: {
    what: 'The accounting system rejects an invoice',
    todo: 'Fix the reported problem. The hourly job tries again.',
  },
  account_restricted: {
    what: 'The payment processor requires something of the account',
    todo: 'Sign in at the payment processor and submit what it asks for. Payments or payouts stop, or have stopped, until then.',
  },
  accounting_disconnected: {
    what: 'The accounting system is no longer connected',
    todo: 'The organisation has withdrawn the access. Connect it again under Accounting; what waits is sent then.',
  },
  mail_not_sent: {
    what: 'An email could not be sent',
    todo: 'The mail server has not accepted it yet. This is retried automatically.',
  },
  mail_refused: {
    what: 'An email was rejected',
    todo: 'The mail server permanently rejects the address or the message. Correct the address, then send the email again.',
  },
};

function ItemCard({ item, home, timeZone }: { item: AttentionItem; home: string; timeZone: string }) {
  const { what, todo } = EXPLANATIONS[item.kind];
  const { amount_minor, currency } = item;
  return (
    <article class="card trouble">
      <strong>
        {what}
        {amount_minor !== null && currency && `: ${formatMoney({ amount_minor, currency })}`}
      </strong>
      <p>
        {item.booking_id ? (
          <a href={`${home}/bookings/${item.booking_id}`}>
            {item.room_name ? describeBooking(item as never) : item.booking_id}
          </a>
        ) : (
          <code>{item.object_id}</code>
        )}{' '}
        <span class="soft">since {formatAt(item.since, timeZone)}</span>
      </p>
      {item.reason && <p>“{item.reason.replaceAll('_', ' ')}”</p>}
      <p class="soft">{todo}</p>
    </article>
  );
}

/** Problems with their reasons and what to do about them. */
export function AttentionList(props: { items: AttentionItem[]; home: string; timeZone: string }) {
  return (
    <>
      {props.items.map((item) => (
        <ItemCard
          key={`${item.kind} ${item.object_id}`}
          item={item}
          home={props.home}
          timeZone={props.timeZone}
        />
      ))}
    </>
  );
}

/** The problems of a workspace, or of one of its bookings, according to the database. */
export function findAttention(
  { db }: ApiDependencies,
  workspaceId: string,
  bookingId?: string,
): Promise<AttentionItem[]> {
  return listAttentionItems(db.manager, {
    workspace_id: workspaceId,
    booking_id: bookingId,
    limit: MAX_SHOWN,
  });
}

/** The ids of a workspace's runs with an activity that keeps failing; null if Temporal cannot be queried. */
export async function findFailingRuns(
  { temporal, log }: ApiDependencies,
  workspaceId: string,
): Promise<string[] | null> {
  const query = `${searchAttributes.workspace.name} = '${workspaceId}' AND ${searchAttributes.attentionNeeded.name} = true AND ExecutionStatus = 'Running'`;
  try {
    return await temporal.withDeadline(Date.now() + QUERY_TEMPORAL_WITHIN_MS, async () => {
      const ids: string[] = [];
      for await (const run of temporal.workflow.list({ query, pageSize: MAX_SHOWN })) {
        ids.push(run.workflowId);
        if (ids.length === MAX_SHOWN) break;
      }
      return ids;
    });
  } catch (error) {
    log.warn({ err: error }, 'dashboard could not query Temporal');
    return null;
  }
}

/** The URL of a run in the Temporal Web UI; null if it is not configured. */
export function runUrl({ temporalUiUrl, temporal }: ApiDependencies, workflowId: string): string | null {
  const { namespace } = temporal.options;
  return (
    temporalUiUrl && `${temporalUiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`
  );
}
