import { listBookings } from '../../db/repositories/bookings/booking-queries.js';
import { countBookings, findBookingMembers } from '../../db/repositories/workspaces/dashboard-queries.js';
import { can } from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import type { Handler } from '../http/context.js';
import { isBookingId } from '../bookings/schema.js';
import { BookingTable } from './booking-table.js';
import { findFailingRuns, findAttention, runAddress, AttentionList } from './attention.js';
import { showSection } from './workspace.js';

const DAY = 86_400_000;
const NEXT_SHOWN = 10;

/** What is stuck and why, how much is booked, and what comes next; a member sees what is theirs. */
export function showOverview(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone, role, member_id } = ctx.state.membership!;
    const { manager } = deps.db;
    const home = `/dashboard/${workspace_id}`;
    const seesAll = can(role, 'all_bookings');
    const now = new Date();
    const [next, counts, troubles, failing] = await Promise.all([
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
    const calm = troubles.length === 0 && failing?.length === 0;
    showSection(ctx, {
      title: 'Overview',
      at: '',
      children: (
        <>
          {counts && (
            <div class="numbers">
              <div class="card">
                <b>{counts.today}</b> confirmed for today
              </div>
              <div class="card">
                <b>{counts.next_days}</b> confirmed within seven days
              </div>
              <a class="card" href={`${home}/bookings?status=pending_payment`}>
                <b>{counts.pending}</b> waiting for payment
              </a>
            </div>
          )}
          {seesAll && (
            <>
              <h2>Needs attention</h2>
              {calm && <p class="soft">Nothing is stuck.</p>}
              {failing === null && (
                <p class="alert">Temporal cannot be asked now, so steps that keep failing are not listed.</p>
              )}
              <AttentionList troubles={troubles} home={home} timeZone={time_zone} />
              {(failing ?? []).map((id) => (
                <article class="card trouble" key={id}>
                  <strong>A step keeps failing</strong>
                  <p>{isBookingId(id) ? <a href={`${home}/bookings/${id}`}>{id}</a> : <code>{id}</code>}</p>
                  <p class="soft">
                    It is tried again by itself, every five minutes at most.{' '}
                    {runAddress(deps, id) && (
                      <a href={runAddress(deps, id)!}>Which step, and why: open the run</a>
                    )}
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
