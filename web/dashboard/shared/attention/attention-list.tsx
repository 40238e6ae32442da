import type { AttentionItem } from '../../../../db/queries/workspaces/attention.js';
import { can } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { formatsOf } from '../../../ui/formats.js';
import { Id } from '../id.js';
import { EXPLANATIONS } from './explanations.js';
import { pageOf, runOf } from './items.js';
import { reasonOf } from './reasons.js';
import { RemedyButton, remedyOf } from './remedy.js';
import { FailingStepText, runUrl, type RunState } from './run.js';

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
            url={run && runUrl(ctx, deps, run)}
            state={run ? states?.get(run) : null}
          />
        );
      })}
    </>
  );
}
