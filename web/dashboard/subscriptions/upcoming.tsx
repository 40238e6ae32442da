import type { UninvoicedMember, UpcomingPayer } from '../../../db/queries/subscriptions/subscription.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import { wallClock } from '../../../domain/time-zone.js';
import { planName, type Plans } from '../../../domain/members/plans.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/paths.js';
import { Table } from '../shared/list.js';
import { lacksAddress, NotEmailed, PayerName } from '../shared/payer-name.js';
import { createFormats } from '../../ui/formats.js';

const counted = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

interface Props {
  ctx: ApiContext;
  payers: UpcomingPayer[];
  plans: Plans;
  /** False if there are more payers. */
  isAll: boolean;
}

/** When the invoices of a day are created, in the time of its clock. */
const FIRST_RUN_MS = 6 * HOUR_MS;

/** `On 5 December 2026 from 06:00, 3 payers are invoiced £324.00, tax included.` */
function NextRun({ ctx, payers, isAll }: Omit<Props, 'plans'>) {
  const { amount, day } = createFormats(ctx);
  const { time_zone } = ctx.state.membership!;
  const first = payers.find(({ total_minor }) => total_minor > 0);
  if (!first) return null;
  const today = dayIn(time_zone, new Date());
  const next = first.next > today ? first.next : today;
  const invoiced = payers.filter((payer) => payer.next <= next && payer.total_minor > 0);
  const total = invoiced.reduce((sum, { total_minor }) => sum + total_minor, 0);
  // The job runs every 15 minutes (docs/rules/billing.md#subscription-invoices).
  const isRunning = next === today && wallClock(Date.now(), time_zone) % DAY_MS >= FIRST_RUN_MS;
  const on = next === today ? 'Today' : `On ${day(startOfDay(next, time_zone))}`;
  const runs = isRunning ? 'With the next run, within 15 minutes' : `${on} from 06:00`;
  const isCut = !isAll && payers.at(-1)!.next <= next;
  return (
    <p>
      <strong>
        {runs}, {isCut && 'at least '}
        {counted(invoiced.length, 'payer')} {invoiced.length === 1 ? 'is' : 'are'} invoiced {amount(total)},
        tax included.
      </strong>
    </p>
  );
}

/** Members who pay for their plan while it costs nothing: usually a price that was never entered. */
function FreePlans({ ctx, payers, plans: names }: Omit<Props, 'isAll'>) {
  const countFree = (tier: Tier): number => payers.reduce((sum, { free }) => sum + (free[tier] ?? 0), 0);
  const free = TIERS.filter((tier) => countFree(tier) > 0);
  if (free.length === 0) return null;
  const plans = free.map((tier) => planName(names, tier));
  const members = free.reduce((sum, tier) => sum + countFree(tier), 0);
  return (
    <p class="alert">
      {counted(members, 'member')} {members === 1 ? 'is' : 'are'} not invoiced, because {plans.join(' and ')}{' '}
      {plans.length === 1 ? 'costs' : 'cost'} nothing. <a href={pathIn(ctx, '/prices')}>Set the prices</a>
    </p>
  );
}

/**
 * Who is invoiced for plans next, when and for how much: what the job would create if nothing changed until
 * then.
 */
export function Upcoming({ ctx, payers, plans, isAll }: Props) {
  const { amount, day } = createFormats(ctx);
  const { time_zone } = ctx.state.membership!;
  return (
    <>
      <NextRun ctx={ctx} payers={payers} isAll={isAll} />
      <FreePlans ctx={ctx} payers={payers} plans={plans} />
      <Table
        rows={payers}
        empty={
          <p class="empty">
            Payers of plans appear here, such as a company with its members. Each is invoiced monthly from
            06:00 on its day, due after 14 days.
          </p>
        }
        columns={[
          {
            name: 'Payer',
            show: (payer) => (
              <>
                <PayerName ctx={ctx} payer={payer} />
                {payer.total_minor > 0 && lacksAddress(payer) && <NotEmailed />}
              </>
            ),
          },
          { name: 'Next invoice', show: ({ next }) => day(startOfDay(next, time_zone)) },
          {
            name: 'Members',
            show: ({ kind, members, names }) => (
              <>
                {counted(members, 'member')}
                {kind === 'company' && names.length > 0 && (
                  <small>
                    {names.join(', ')}
                    {members > names.length && ` and ${members - names.length} more`}
                  </small>
                )}
              </>
            ),
          },
          { name: 'Excluding tax', number: true, show: ({ net_minor }) => amount(net_minor) },
          {
            name: 'Invoice total',
            number: true,
            show: ({ total_minor }) => (total_minor === 0 ? 'no invoice' : amount(total_minor)),
          },
        ]}
      />
    </>
  );
}

/** Why a member is not invoiced for a plan now. */
function whyNotInvoiced(
  { billed, status, trial_ends_at, tier }: UninvoicedMember,
  plans: Plans,
  day: (at: Date) => string,
): string {
  if (!billed) return 'does not pay for their plan';
  if (status === 'paused') return 'is paused';
  if (status === 'trialing' && trial_ends_at)
    return `is in a free trial until ${day(trial_ends_at)}, then invoiced`;
  return `${planName(plans, tier)} costs nothing`;
}

/** The members who have a plan and are not invoiced, each with the reason. */
export function Uninvoiced(props: {
  ctx: ApiContext;
  members: UninvoicedMember[];
  plans: Plans;
  /** False if there are more members. */
  isAll: boolean;
}) {
  const { ctx, members, plans, isAll } = props;
  if (members.length === 0) return null;
  const { day } = createFormats(ctx);
  return (
    <details class="more">
      <summary>
        {isAll ? counted(members.length, 'member') : `More than ${counted(members.length, 'member')}`} not
        invoiced
      </summary>
      <Table
        rows={members}
        empty=""
        columns={[
          {
            name: 'Member',
            show: ({ id, name }) => <PayerName ctx={ctx} payer={{ kind: 'member', id, name }} />,
          },
          { name: 'Why', show: (member) => whyNotInvoiced(member, plans, day) },
        ]}
      />
    </details>
  );
}
