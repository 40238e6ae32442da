import type { AttentionItem } from '../../../../db/queries/workspaces/attention.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { createFormats } from '../../../ui/formats.js';
import { Id } from '../id.js';
import { EXPLANATIONS } from './explanations.js';
import { problemPath, problemRunId } from './items.js';
import { describeProblemReason } from './reasons.js';
import { mayAct, RemedyButton, findRemedy } from './remedy.js';
import { FailingStepText, runUrl, type BookingRunStatus } from './run.js';

/** Kinds without a stored start time. */
const NO_START: AttentionItem['kind'][] = [
  'endpoint_disabled',
  'processor_revoked',
  'account_restricted',
  'time_zone_wrong',
];

interface ItemProps {
  ctx: ApiContext;
  item: AttentionItem;
  url: string | null;
  /** The state of its run, if that is known. */
  state: BookingRunStatus | null | undefined;
}

/**
 * One problem of its kind: what it is about, its reason, what fails, and the button. `amount` is in
 * the card's title if absent.
 */
function Item({ ctx, item, url, state, amount }: ItemProps & { amount?: string | null }) {
  const failing = state && typeof state === 'object' ? state.failing : [];
  const { booking_id, reference, room_name, object_id } = item;
  const { workspace_id, role } = ctx.state.membership!;
  const { moment } = createFormats(ctx, item.time_zone ?? undefined);
  const { span } = createFormats(ctx);
  const home = `/dashboard/${workspace_id}`;
  const page = problemPath(item, role);
  const next = findRemedy(item, role);
  // No link to the current page.
  const remedy = next && 'open' in next && home + next.open === ctx.path ? null : next;
  const reason = describeProblemReason(item, moment);
  const name = room_name
    ? `${room_name}, ${span({ start_at: item.start_at!, end_at: item.end_at!, time_zone: item.time_zone! })}`
    : null;
  return (
    <>
      <p>
        {amount && <strong>{amount}: </strong>}
        {page && home + page !== ctx.path ? <a href={home + page}>{name ?? 'View'}</a> : name}{' '}
        {booking_id ? <code>{reference}</code> : <Id of={object_id} />}{' '}
        {!NO_START.includes(item.kind) && <span class="soft">since {moment(item.since)}</span>}
      </p>
      {reason && <p>{reason}</p>}
      {url && (
        <p class="soft">
          <a href={url}>Open workflow in Temporal</a>
        </p>
      )}
      {failing.map((step) => (
        <FailingStepText key={step.step} ctx={ctx} of={step} moment={moment} />
      ))}
      {remedy && mayAct(item, role) && (
        <div class="actions">
          <RemedyButton ctx={ctx} home={home} of={remedy} />
        </div>
      )}
    </>
  );
}

/**
 * The problems of one kind. The explanation is shown once to those who can act; others are told whom to ask.
 */
function KindCard({ kind, items }: { kind: AttentionItem['kind']; items: ItemProps[] }) {
  const { what, todo } = EXPLANATIONS[kind];
  const formatAmount = ({ ctx, item: { amount_minor, currency } }: ItemProps): string | null =>
    amount_minor !== null && currency ? createFormats(ctx).money({ amount_minor, currency }) : null;
  const only = items.length === 1 ? items[0]! : null;
  const acts = items.some(({ ctx, item }) => mayAct(item, ctx.state.membership!.role));
  const title = only ? formatAmount(only) : String(items.length);
  return (
    <article class="card trouble">
      <strong>
        {what}
        {title && `: ${title}`}
      </strong>
      <p class="soft">{acts ? todo : 'Only owners and admins can fix this. Tell one of them.'}</p>
      {only ? (
        <Item {...only} />
      ) : (
        <ul class="troubles">
          {items.map((each) => (
            <li key={itemKey(each.item)}>
              <Item {...each} amount={formatAmount(each)} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

const itemKey = ({ kind, object_id, refund_id }: AttentionItem): string =>
  `${kind} ${object_id} ${refund_id}`;

/** Problems by kind, oldest first. */
export function AttentionList(props: {
  ctx: ApiContext;
  deps: ApiDependencies;
  items: AttentionItem[];
  states?: ReadonlyMap<string, BookingRunStatus | null>;
}) {
  const { ctx, deps, items, states } = props;
  const kinds = new Map<AttentionItem['kind'], ItemProps[]>();
  for (const item of items) {
    const run = problemRunId(item);
    const url = run && runUrl(ctx, deps, run);
    const of = kinds.get(item.kind) ?? [];
    kinds.set(item.kind, [...of, { ctx, item, url, state: run ? states?.get(run) : null }]);
  }
  return (
    <>
      {[...kinds].map(([kind, of]) => (
        <KindCard key={kind} kind={kind} items={of} />
      ))}
    </>
  );
}
