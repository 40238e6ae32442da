import { listBookings } from '../../../db/repositories/bookings/booking-queries.js';
import { countBookings, findBookingMembers } from '../../../db/repositories/workspaces/dashboard-queries.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { isBookingId } from '../../bookings/schema.js';
import { BookingTable } from '../bookings/booking-table.js';
import { AttentionList, findAttention, findFailingRuns, runUrl } from './attention.js';
import { showSection } from '../shared/workspace.js';

const DAY = 86_400_000;
const NEXT_SHOWN = 10;

/** `GET /dashboard/:workspace`: problems, the number of bookings, and the next ones; members see only their own. */
export function showOverview(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone, role, member_id } = ctx.state.membership!;
    const { manager } = deps.db;
    const home = `/dashboard/${workspace_id}`;
    const seesAll = can(role, 'all_bookings');
    const now = new Date();
    const [next, counts, attention, failing] = await Promise.all([
      listBookings(manager, {
        workspace_id,
        from: now,
        to: new Date(now.getTime() + 90 * DAY),
        status: 'confirmed',
        only_of: seesAll ? undefined : member_id,
        limit: NEXT_SHOWN,
      }),
      seesAll ? countBookings(manager, workspace_id, time_zone) : null,
      seesAll ? findAttention(deps, workspace_id) : [],
      seesAll ? findFailingRuns(deps, workspace_id) : [],
    ]);
    const members = await findBookingMembers(manager, workspace_id, next);
    const calm = attention.length === 0 && failing?.length === 0;
    showSection(ctx, {
      title: 'Overview',
      at: '',
      children: (
        <>
          {counts && (
            <div class="numbers">
              <div class="card">
                <b>{counts.today}</b> confirmed today
              </div>
              <div class="card">
                <b>{counts.next_days}</b> confirmed in the next 7 days
              </div>
              <a class="card" href={`${home}/bookings?status=pending_payment`}>
                <b>{counts.pending}</b> waiting for payment
              </a>
            </div>
          )}
          {seesAll && (
            <>
              <h2>Needs attention</h2>
              {calm && <p class="soft">Nothing needs attention.</p>}
              {failing === null && (
                <p class="alert">Temporal is unavailable, so failing steps are not listed.</p>
              )}
              <AttentionList items={attention} home={home} timeZone={time_zone} />
              {(failing ?? []).map((id) => (
                <article class="card trouble" key={id}>
                  <strong>A step keeps failing</strong>
                  <p>{isBookingId(id) ? <a href={`${home}/bookings/${id}`}>{id}</a> : <code>{id}</code>}</p>
                  <p class="soft">
                    It is retried automatically, at least every five minutes.{' '}
                    {runUrl(deps, id) && <a href={runUrl(deps, id)!}>Open the run for details</a>}
                  </p>
                </article>
              ))}
            </>
          )}
          <h2>Next bookings</h2>
          <BookingTable bookings={next} members={members} home={home} />
          <p>
            <a href={`${home}/bookings`}>All bookings</a>
          </p>
        </>
      ),
    });
  };
}
