import {
  listAttentionItems,
  type AttentionAbout,
  type AttentionItem,
} from '../../../db/queries/workspaces/attention.js';
import { currencyExponent } from '../../../domain/money.js';
import { can } from '../../../domain/policies.js';
import { searchAttributes, workflowIds } from '../../../contract/index.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { FailingStepText, findRunState, type RunState } from '../bookings/run.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
import { EXPLANATIONS } from './explanations.js';
import { reasonOf } from './reasons.js';

const MAX_SHOWN = 50;
const MAX_RUNS_READ = 3;
const QUERY_TEMPORAL_WITHIN_MS = 3_000;

/** What can be done about a problem: a form of a page, or a link. */
type Remedy =
  | { label: string; submit: string; fields?: Record<string, string> }
  | { label: string; open: string };

/** An amount as people enter it: `30.00`. */
const entered = (minor: number, currency: string): string =>
  (minor / 10 ** currencyExponent(currency)).toFixed(currencyExponent(currency));

/** The one next step; null if there is nothing to do but wait. */
function remedyOf(item: AttentionItem): Remedy | null {
  const { booking_id, payment_id, object_id, amount_minor, currency } = item;
  const object = pageOf(item);
  const ask: Remedy | null = booking_id
    ? { label: 'Ask the processor now', submit: `/bookings/${booking_id}/ask` }
    : null;
  switch (item.kind) {
    case 'hold_not_ended':
    case 'refund_not_requested':
    case 'refund_pending':
      return ask;
    case 'refund_failed':
      return {
        label: 'Retry refund',
        submit: `/payments/${payment_id}/refund`,
        fields: {
          amount_minor: entered(amount_minor!, currency!),
          reason: item.reason ?? 'other',
          notify_payer: 'on',
        },
      };
    case 'disputed':
      return { label: 'View disputed payment', open: `/payments/${payment_id}` };
    case 'accounting_disconnected':
      return { label: 'Reconnect', open: '/accounting' };
    case 'endpoint_disabled':
      return { label: 'View endpoint', open: '/webhooks' };
    case 'processor_revoked':
      return { label: 'Reconnect', open: '/processor' };
    case 'account_restricted':
      return { label: 'View requirements', open: '/processor' };
    case 'mail_refused':
      if (booking_id) return { label: 'Resend email', submit: `/bookings/${booking_id}/send`, fields: {} };
      return object_id.startsWith('inv_') && object
        ? { label: 'Resend invoice', open: object }
        : object_id.startsWith('mem_') && object
          ? { label: 'Correct email address', open: object }
          : null;
    case 'not_in_accounting':
      return { label: 'View invoice', open: `/invoices/${object_id}` };
    default:
      return null;
  }
}

/** The page of what a problem is about, as a path after the workspace's. */
function pageOf({ booking_id, payment_id, object_id }: AttentionItem): string | null {
  if (booking_id) return `/bookings/${booking_id}`;
  if (object_id.startsWith('inv_')) return `/invoices/${object_id}`;
  if (object_id.startsWith('mem_')) return `/members/${object_id}`;
  return payment_id && `/payments/${payment_id}`;
}

/** The run that works on a problem. */
const runOf = ({ refund_id, booking_id }: AttentionItem): string | null =>
  refund_id ? workflowIds.refund(refund_id) : booking_id && workflowIds.booking(booking_id);

/** The button or link of a remedy. */
function RemedyButton({ ctx, home, of }: { ctx: ApiContext; home: string; of: Remedy }) {
  if ('open' in of)
    return (
      <a class="button" href={home + of.open}>
        {of.label}
      </a>
    );
  return (
    <Form ctx={ctx} action={home + of.submit} once={of.fields !== undefined}>
      {Object.entries(of.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button>{of.label}</button>
    </Form>
  );
}

/** Kinds whose beginning is not stored. */
const NO_START: AttentionItem['kind'][] = ['endpoint_disabled', 'processor_revoked', 'account_restricted'];

interface ItemProps {
  ctx: ApiContext;
  item: AttentionItem;
  url: string | null;
  /** The state of its run, if that is known. */
  state: RunState | null | undefined;
}

function ItemCard({ ctx, item, url, state }: ItemProps) {
  const failing = state && typeof state === 'object' ? state.failing : [];
  const { what, todo } = EXPLANATIONS[item.kind];
  const { amount_minor, currency, booking_id, room_name, object_id } = item;
  const { workspace_id, role } = ctx.state.membership!;
  const { money, moment, span } = formatsOf(ctx, item.time_zone ?? undefined);
  const home = `/dashboard/${workspace_id}`;
  const page = pageOf(item);
  const next = remedyOf(item);
  // On the page that it leads to, a link would do nothing.
  const remedy = next && 'open' in next && home + next.open === ctx.path ? null : next;
  const reason = reasonOf(item, moment);
  const name = room_name
    ? `${room_name}, ${span({ start_at: item.start_at!, end_at: item.end_at!, time_zone: item.time_zone! })}`
    : null;
  return (
    <article class="card trouble">
      <strong>
        {what}
        {amount_minor !== null && currency && `: ${money({ amount_minor, currency })}`}
      </strong>
      <p>
        {page && home + page !== ctx.path ? <a href={home + page}>{name ?? 'View'}</a> : name}{' '}
        {!booking_id && <Id of={object_id} />}{' '}
        {!NO_START.includes(item.kind) && <span class="soft">since {moment(item.since)}</span>}
      </p>
      {reason && <p>{reason}</p>}
      <p class="soft">
        {todo} {url && <a href={url}>Open workflow in Temporal</a>}
      </p>
      {failing.map((step) => (
        <FailingStepText key={step.step} of={step} moment={moment} />
      ))}
      {remedy && can(role, 'write_billing') && (
        <div class="actions">
          <RemedyButton ctx={ctx} home={home} of={remedy} />
        </div>
      )}
    </article>
  );
}

/** Problems with their reasons, what they mean, and the next step. */
export function AttentionList(props: {
  ctx: ApiContext;
  deps: ApiDependencies;
  items: AttentionItem[];
  /** What is known of runs, by their ids. */
  states?: ReadonlyMap<string, RunState | null>;
}) {
  const { ctx, deps, items, states } = props;
  return (
    <>
      {items.map((item) => {
        const run = runOf(item);
        return (
          <ItemCard
            key={`${item.kind} ${item.object_id} ${item.refund_id}`}
            ctx={ctx}
            item={item}
            url={run && runUrl(deps, run)}
            state={run ? states?.get(run) : null}
          />
        );
      })}
    </>
  );
}

/** The problems of a workspace, or about one object, according to the database. */
export function findAttention(
  { db }: ApiDependencies,
  workspaceId: string,
  about: AttentionAbout = {},
): Promise<AttentionItem[]> {
  return listAttentionItems(db.manager, { ...about, workspace_id: workspaceId, limit: MAX_SHOWN });
}

/** The problems of an invoice: those of its booking, or its own. */
export const attentionToInvoice = ({
  id,
  booking_id,
}: {
  id: string;
  booking_id: string | null;
}): AttentionAbout => (booking_id ? { booking_id } : { object_id: id });

/** The state of the runs that work on the problems of one object, by their ids. */
export async function readStates(
  deps: ApiDependencies,
  items: AttentionItem[],
): Promise<ReadonlyMap<string, RunState>> {
  const runs = [...new Set(items.map(runOf).filter((run) => run !== null))].slice(0, MAX_RUNS_READ);
  return new Map(await Promise.all(runs.map(async (run) => [run, await findRunState(deps, run)] as const)));
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
