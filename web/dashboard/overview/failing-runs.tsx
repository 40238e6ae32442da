import { parseWorkflowId } from '../../../contract/names.js';
import { searchAttributes } from '../../../contract/search-attributes.js';
import { findBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import {
  FailingStepText,
  findRunState,
  queryTemporal,
  runUrl,
  type BookingRunStatus,
} from '../shared/attention/run.js';
import { Id } from '../shared/id.js';
import { createFormats, type Formats } from '../../ui/formats.js';

const MAX_SHOWN = 50;
/** How many runs are queried for failing steps. */
const MAX_ASKED = 10;

/** The title of a run with a step that fails (docs/guides/runbook.md#needs-attention). */
export const STEP_FAILS = 'A step keeps failing';

interface FailingRun {
  id: string;
  /** What the run works on, and its page as a path after the workspace's. */
  about: string;
  page: string | null;
  /** Shown instead of the id. */
  code?: string;
  state: BookingRunStatus | null;
}

/** Describes what a run works on. A booking has a page only if it was published. */
function describeSubject(
  id: string,
  bookings: ReadonlyMap<string, BookingRow>,
  { span }: Formats,
): Pick<FailingRun, 'about' | 'page' | 'code'> {
  const { workflow, rest } = parseWorkflowId(id) ?? { workflow: null, rest: '' };
  switch (workflow) {
    case 'booking': {
      const booking = bookings.get(id);
      if (booking)
        return {
          about: `${booking.room_name}, ${span(booking)}`,
          page: `/bookings/${id}`,
          code: booking.reference,
        };
      return {
        about:
          'The payment page of a booking that was never created. It is being closed, and the slot is free.',
        page: null,
      };
    }
    case 'refund':
      return { about: 'A refund', page: `/payments/${id}` };
    case 'invoiceCheckout':
      return { about: 'The payment page of an invoice', page: null };
    case 'invoiceAccounting':
      return { about: 'Sync of an invoice to the accounting system', page: `/invoices/${rest}` };
    case 'mailDelivery':
      return { about: 'Outgoing email', page: null };
    case 'webhookDelivery':
      return { about: 'Events to the webhook endpoint', page: '/webhooks' };
    case 'tierChanges':
      return { about: 'Plan upgrades', page: '/members' };
    case 'workspaceAccountingSync':
    case 'accountingConnection':
      return { about: 'The accounting sync', page: '/accounting' };
    case 'processorAccount':
    case 'processorOnboarding':
      return { about: 'The Stripe account', page: '/processor' };
    case 'paymentDisputes':
      return { about: 'A disputed payment', page: `/search?q=${rest}` };
    default:
      return { about: 'A payment or report', page: null };
  }
}

/** The ids of a workspace's runs with an activity that keeps failing; null if Temporal cannot be queried. */
function findFailingRuns(deps: ApiDependencies, workspaceId: string): Promise<string[] | null> {
  const query = `${searchAttributes.workspace.name} = '${workspaceId}'
    AND ${searchAttributes.attentionNeeded.name} = true AND ExecutionStatus = 'Running'`;
  return queryTemporal(deps, async () => {
    const ids: string[] = [];
    for await (const run of deps.temporal.workflow.list({ query, pageSize: MAX_SHOWN })) {
      ids.push(run.workflowId);
      if (ids.length === MAX_SHOWN) break;
    }
    return ids;
  });
}

/** The runs of a workspace with a step that fails, and what fails; null if Temporal cannot be queried. */
export async function readFailingRuns(ctx: ApiContext, deps: ApiDependencies): Promise<FailingRun[] | null> {
  const workspaceId = ctx.state.membership!.workspace_id;
  const ids = await findFailingRuns(deps, workspaceId);
  if (!ids) return null;
  const ofBookings = ids.filter((id) => parseWorkflowId(id)?.workflow === 'booking');
  const found = await findBookings(deps.db.manager, workspaceId, ofBookings);
  const bookings = new Map(found.map((booking) => [booking.id, booking]));
  return Promise.all(
    ids.map(async (id, index) => ({
      id,
      ...describeSubject(id, bookings, createFormats(ctx)),
      state: index < MAX_ASKED ? await findRunState(deps, id) : null,
    })),
  );
}

/** Runs with a step that fails: what it means, how often it was tried, when it is next, and what to do. */
export function FailingRuns(props: { ctx: ApiContext; deps: ApiDependencies; runs: FailingRun[] }) {
  const { ctx, deps, runs } = props;
  const { workspace_id } = ctx.state.membership!;
  const { moment } = createFormats(ctx);
  return (
    <>
      {runs.map(({ id, about, page, code, state }) => {
        const url = runUrl(ctx, deps, id);
        const failing = state && typeof state === 'object' ? state.failing : [];
        return (
          <article class="card trouble" key={id}>
            <strong>{STEP_FAILS}</strong>
            <p>
              {page ? <a href={`/dashboard/${workspace_id}${page}`}>{about}</a> : about}{' '}
              {code ? <code>{code}</code> : <Id of={id} />}
            </p>
            {failing.map((step) => (
              <FailingStepText key={step.step} ctx={ctx} of={step} moment={moment} />
            ))}
            <p class="soft">
              {failing.length === 0 && 'This is retried automatically. '}
              {url && <a href={url}>Open workflow in Temporal</a>}
            </p>
          </article>
        );
      })}
    </>
  );
}
