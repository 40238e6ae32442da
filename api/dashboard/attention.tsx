import {
  type AttentionItem,
  listAttentionItems,
} from '../../db/repositories/workspaces/attention-queries.js';
import { formatMoney } from '../../domain/money.js';
import { describeBooking } from '../../domain/presenters/booking.js';
import { searchAttributes } from '../../workflows/contract.js';
import type { ApiDependencies } from '../app.js';
import { formatAt } from './layout.js';

const MOST_SHOWN = 50;
const ASK_TEMPORAL_WITHIN_MS = 3_000;

/** What each kind of trouble means to an operator, and what they can do. */
const EXPLANATIONS: Record<AttentionItem['kind'], { what: string; todo: string }> = {
  hold_not_ended: {
    what: 'The hold is over, but the slot is not free yet',
    todo: 'The payment processor could not be asked whether it was paid, or the run is missing. It is tried again by itself; the hourly job starts a missing run anew.',
  },
  change_not_charged: {
    what: 'A change waits for its charge',
    todo: 'Until the processor says whether the card was charged, both places are held.',
  },
  not_completed: {
    what: 'The time is over, but the booking is not completed',
    todo: 'Its run is missing or stuck: open it in Temporal. The hourly job starts a missing run anew.',
  },
  refund_failed: {
    what: 'A refund failed',
    todo: 'The money is still with you. Look at the payment at the processor, then refund it again.',
  },
  refund_not_requested: {
    what: 'The payment processor does not take a refund',
    todo: 'It does not answer, or its account is not ours any more. It is asked again by itself; the run in Temporal says why.',
  },
  refund_pending: {
    what: 'A refund has been pending for more than a day',
    todo: 'Banks may take some days. It is followed until it ends.',
  },
  disputed: { what: 'A payment is disputed', todo: 'Answer the dispute at the payment processor.' },
  not_in_accounting: {
    what: 'The accounting system refuses an invoice',
    todo: 'Mend what it says; the hourly job tries again.',
  },
  mail_not_sent: {
    what: 'A mail does not go out',
    todo: 'The mail server does not take it. It is tried again by itself.',
  },
  mail_refused: {
    what: 'A mail was refused',
    todo: 'The mail server refuses the address or the mail for good. Correct the address, then send it again.',
  },
};

function TroubleCard({
  trouble,
  home,
  timeZone,
}: {
  trouble: AttentionItem;
  home: string;
  timeZone: string;
}) {
  const { what, todo } = EXPLANATIONS[trouble.kind];
  const { amount_minor, currency } = trouble;
  return (
    <article class="card trouble">
      <strong>
        {what}
        {amount_minor !== null && currency && `: ${formatMoney({ amount_minor, currency })}`}
      </strong>
      <p>
        {trouble.booking_id ? (
          <a href={`${home}/bookings/${trouble.booking_id}`}>
            {trouble.room_name ? describeBooking(trouble as never) : trouble.booking_id}
          </a>
        ) : (
          <code>{trouble.object_id}</code>
        )}{' '}
        <span class="soft">since {formatAt(trouble.since, timeZone)}</span>
      </p>
      {trouble.reason && <p>“{trouble.reason.replaceAll('_', ' ')}”</p>}
      <p class="soft">{todo}</p>
    </article>
  );
}

/** What is stuck, each with its reason and what to do. */
export function AttentionList(props: { troubles: AttentionItem[]; home: string; timeZone: string }) {
  return (
    <>
      {props.troubles.map((trouble) => (
        <TroubleCard
          key={`${trouble.kind} ${trouble.object_id}`}
          trouble={trouble}
          home={props.home}
          timeZone={props.timeZone}
        />
      ))}
    </>
  );
}

/** What is stuck in a workspace, or in one of its bookings, by our own rows. */
export function findAttention(
  { db }: ApiDependencies,
  workspaceId: string,
  bookingId?: string,
): Promise<AttentionItem[]> {
  return listAttentionItems(db.manager, {
    workspace_id: workspaceId,
    booking_id: bookingId,
    limit: MOST_SHOWN,
  });
}

/** The runs of a workspace with a step that keeps failing, as Temporal knows them; null when it can't be asked. */
export async function findFailingRuns(
  { temporal, log }: ApiDependencies,
  workspaceId: string,
): Promise<string[] | null> {
  const query = `${searchAttributes.workspace.name} = '${workspaceId}' AND ${searchAttributes.attentionNeeded.name} = true AND ExecutionStatus = 'Running'`;
  try {
    return await temporal.withDeadline(Date.now() + ASK_TEMPORAL_WITHIN_MS, async () => {
      const ids: string[] = [];
      for await (const run of temporal.workflow.list({ query, pageSize: MOST_SHOWN })) {
        ids.push(run.workflowId);
        if (ids.length === MOST_SHOWN) break;
      }
      return ids;
    });
  } catch (error) {
    log.warn({ err: error }, 'the dashboard could not ask Temporal');
    return null;
  }
}

/** A run's page in the Temporal Web UI; null where its address isn't known. */
export function runAddress({ temporalUiUrl, temporal }: ApiDependencies, workflowId: string): string | null {
  const { namespace } = temporal.options;
  return (
    temporalUiUrl && `${temporalUiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`
  );
}
