import { listCollected } from '../../../db/queries/invoices/invoice.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { listUnfinishedBlackouts } from '../../../db/queries/blackouts/blackout.js';
import { listBookings } from '../../../db/queries/bookings/booking.js';
import {
  countBookings,
  findBookingListFacts,
  findFirstSteps,
  findMoneyOfDays,
  listToday,
  type MoneyOfPeriod,
} from '../../../db/queries/workspaces/dashboard.js';
import { BOOKING_WORDS } from '../../../domain/bookings/state.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { BookARoom } from '../bookings/book-a-room.js';
import { BookingTable } from '../shared/booking-table.js';
import { Collections } from '../invoices/collection.js';
import { createFormats } from '../../ui/formats.js';
import { pathIn } from '../shared/paths.js';
import { seesOverview } from '../shared/navigation.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { OwnMembership, readOwn, type OwnPage } from '../members/membership/membership.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { attentionFor, findAttention } from '../shared/attention/items.js';
import { FailingRuns, readFailingRuns } from './failing-runs.js';
import { UnfinishedBlackouts } from './unfinished-blackouts.js';
import { Today } from './today.js';
import { FirstSteps } from './first-steps.js';

const NEXT_SHOWN = 10;
const TODAY_SHOWN = 50;
const COLLECTIONS_SHOWN = 10;

/** Money of a period: received, and refunded. */
function MoneyTile(props: {
  name: string;
  of: MoneyOfPeriod;
  amount: (minor: number) => string;
  href: string;
}) {
  const { name, of, amount, href } = props;
  return (
    <a class="card" href={href}>
      <b>{amount(of.received_minor)}</b> received {name}
      {of.refunded_minor > 0 && <small>{amount(of.refunded_minor)} refunded</small>}
      {of.refunding_minor > 0 && <small>{amount(of.refunding_minor)} being refunded</small>}
      {of.disputed_minor > 0 && <small>{amount(of.disputed_minor)} withdrawn by banks</small>}
      {of.disputed_minor < 0 && <small>{amount(-of.disputed_minor)} returned by banks</small>}
    </a>
  );
}

/** Reads today, what needs a person now, and the money of the day and the week. */
async function readOverview({ ctx, membership }: PageRequest, deps: ApiDependencies) {
  const { workspace_id, time_zone, role, member_id } = membership;
  const { manager } = deps.db;
  const seesAll = can(role, 'all_bookings');
  const only_of = seesAll ? undefined : member_id;
  const told = attentionFor(role);
  const now = new Date();
  const failing = can(role, 'write_workspace') ? readFailingRuns(ctx, deps) : Promise.resolve([]);
  const [today, next, counts, money, attention, runs, steps, collected, blackouts] = await Promise.all([
    listToday(manager, { workspace_id, time_zone, only_of, limit: TODAY_SHOWN }),
    listBookings(manager, {
      workspace_id,
      from: now,
      to: new Date(now.getTime() + 90 * DAY_MS),
      status: 'confirmed',
      only_of,
      limit: NEXT_SHOWN + TODAY_SHOWN,
    }),
    seesAll ? countBookings(manager, workspace_id, time_zone) : null,
    can(role, 'read_billing') ? findMoneyOfDays(manager, membership) : null,
    told
      ? failing.then((runs) =>
          findAttention(deps, workspace_id, { ...told, failing: (runs ?? []).map(({ id }) => id) }),
        )
      : [],
    failing,
    can(role, 'write_workspace') ? findFirstSteps(manager, workspace_id) : null,
    can(role, 'read_billing') ? listCollected(manager, workspace_id, COLLECTIONS_SHOWN) : [],
    can(role, 'write_blackouts') ? listUnfinishedBlackouts(manager, workspace_id) : [],
  ]);
  const payers = await listPayers(
    manager,
    collected.map(({ id }) => id),
  );
  const later = next.filter(({ id }) => !today.some((each) => each.id === id)).slice(0, NEXT_SHOWN);
  const beside = await findBookingListFacts(manager, workspace_id, [...today, ...later]);
  return {
    seesAll,
    isTold: told !== null,
    now,
    today,
    later,
    beside,
    counts,
    money,
    attention,
    runs,
    steps,
    collected,
    payers,
    blackouts,
    deps,
  };
}

type OverviewPage = Awaited<ReturnType<typeof readOverview>>;

function Attention({ page: { ctx, data } }: { page: PageProps<OverviewPage> }) {
  const { deps, attention, runs, blackouts } = data;
  const states = new Map((runs ?? []).map(({ id, state }) => [id, state]));
  return (
    <>
      <h2>Needs attention</h2>
      {attention.length === 0 && runs?.length === 0 && blackouts.length === 0 && (
        <p class="soft">Nothing needs attention.</p>
      )}
      {runs === null && (
        <p class="alert">Failing steps cannot be listed right now. Reload the page in a few minutes.</p>
      )}
      <AttentionList ctx={ctx} deps={deps} items={attention} states={states} />
      <UnfinishedBlackouts ctx={ctx} of={blackouts} />
      <FailingRuns ctx={ctx} deps={deps} runs={otherRuns(data)} />
    </>
  );
}

/** Ids that the attention list already covers. */
const listedIn = ({ attention }: Pick<OverviewPage, 'attention'>) =>
  new Set(attention.flatMap(({ booking_id, refund_id }) => [booking_id, refund_id]));

/** The failing runs whose problem is not listed already. */
function otherRuns({ attention, runs }: Pick<OverviewPage, 'attention' | 'runs'>) {
  const listed = listedIn({ attention });
  return (runs ?? []).filter(({ id }) => !listed.has(id));
}

function Overview(props: PageProps<OverviewPage>) {
  const { ctx, data } = props;
  const {
    seesAll,
    isTold: isAnnounced,
    now,
    today,
    later,
    beside,
    counts,
    money,
    steps,
    collected,
    payers,
  } = data;
  const home = pathIn(ctx, '');
  const { amount } = createFormats(ctx);
  const below = new Set([...listedIn(data), ...otherRuns(data).map(({ id }) => id)]);
  return (
    <>
      {steps && <FirstSteps steps={steps} home={home} />}
      {(counts || money) && (
        <div class="numbers">
          {counts && (
            <a class="card" href={`${home}/calendar`}>
              <b>{counts.today}</b> {counts.today === 1 ? 'booking' : 'bookings'} today
              <small>{counts.next_days} in the next 7 days</small>
            </a>
          )}
          {counts && (
            <a class="card" href={`${home}/bookings?status=pending_payment`}>
              <b>{counts.pending}</b> {BOOKING_WORDS.pending_payment}
            </a>
          )}
          {money && (
            <>
              <MoneyTile name="today" of={money.today} amount={amount} href={`${home}/payments`} />
              <MoneyTile
                name="in the last 7 days"
                of={money.week}
                amount={amount}
                href={`${home}/payments`}
              />
            </>
          )}
        </div>
      )}
      {isAnnounced && <Attention page={props} />}
      <Today ctx={ctx} bookings={today} listed={below} beside={beside} now={now} own={!seesAll} />
      <h2>{seesAll ? 'Next bookings' : 'Your next bookings'}</h2>
      <BookingTable
        ctx={ctx}
        bookings={later}
        beside={beside}
        empty={seesAll ? 'No upcoming bookings.' : 'You have no upcoming bookings.'}
      />
      <p class="links">
        <a href={`${home}/bookings`}>All bookings</a>
        {seesAll && <a href={`${home}/day`}>Day list</a>}
      </p>
      <Collections ctx={ctx} invoices={collected} payers={payers} />
    </>
  );
}

interface Home {
  overview?: OverviewPage;
  own?: OwnPage;
}

/**
 * The first page of a workspace: the first steps of a new one, today by time, what needs a person now, and
 * money, for who reads billing; for members without other rights their own place in it.
 */
export const overview = [
  page<Home>({
    path: '',
    at: ({ role }) => (seesOverview(role) ? '' : '/membership'),
    title: ({ own }) => (own ? 'Your membership' : 'Overview'),
    load: async (request, deps) =>
      seesOverview(request.caller.role)
        ? { overview: await readOverview(request, deps) }
        : { own: await readOwn(request, deps) },
    primary: ({ ctx, data }) => data.overview && <BookARoom ctx={ctx} />,
    view: ({ ctx, at, data: { overview, own } }) =>
      overview ? (
        <Overview ctx={ctx} at={at} data={overview} />
      ) : (
        <OwnMembership ctx={ctx} at="/membership" data={own!} />
      ),
  }),
];
