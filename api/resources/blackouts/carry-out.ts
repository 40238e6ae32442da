import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { listClosedRooms, listPlans } from '../../../db/queries/blackouts/blackout.js';
import type { BlackoutBooking } from '../../../db/entities/rooms.js';
import { finishPlan, tellPayer, type RoomBlackout } from '../../../commands/blackouts/planned-bookings.js';
import { isInTheWay, type PlanProblem } from '../../../domain/blackouts/plan.js';
import { isLimitedAtDesk } from '../../../domain/payments/desk-refund.js';
import { can, type Principal } from '../../../domain/policies.js';
import { asApiError, internalError } from '../../http/errors.js';
import { assertMayRefund, requestCancellation } from '../bookings/cancel.js';
import { changedBooking } from '../bookings/booking.js';
import { toChangeActor, type Deps } from '../bookings/run-update.js';
import { requestChange } from '../bookings/update.js';

/** How many bookings are changed concurrently: each waits for its run, and some for the processor. */
const AT_A_TIME = 4;
/** No further booking is started after this time. The rest is carried out when somebody continues. */
const BEGUN_WITHIN_MS = 20_000;

/**
 * Carries out the plans for bookings that overlap a blackout (docs/rules/rooms.md#bookings-in-the-way), and
 * stores each outcome. Can be repeated at any time, even after the process has died: what has been done to a
 * booking is not done again. `principal` is the caller, whose limits apply.
 */
export async function carryOut(deps: Deps, principal: Principal, blackout: RoomBlackout): Promise<void> {
  const { workspace_id } = principal;
  const plans = await listPlans(deps.db.manager, { workspace_id, blackout_id: blackout.id });
  const planned = plans.filter(({ state }) => state === 'planned');
  const closed = await listClosedRooms(deps.db.manager, blackout.room_id);
  const until = Date.now() + BEGUN_WITHIN_MS;
  const work = async (): Promise<void> => {
    while (Date.now() < until) {
      const next = planned.shift();
      if (!next) return;
      await carryOutOne(deps, principal, { blackout, closed }, next);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

async function carryOutOne(
  deps: Deps,
  principal: Principal,
  { blackout, closed }: { blackout: RoomBlackout; closed: ReadonlySet<string> },
  planned: BlackoutBooking,
): Promise<void> {
  try {
    const { workspace_id, booking_id: id } = planned;
    const booking = await changedBooking(deps, { workspace_id, id });
    // Otherwise it is over, or was moved or cancelled by an earlier attempt or by somebody else.
    if (isInTheWay(booking, blackout, closed) && planned.plan.do !== 'keep')
      await act(deps, principal, booking, planned);
    else await finishPlan(deps.db.manager, planned, null);
  } catch (error) {
    const known = asApiError(error);
    if (!known)
      deps.log.error(
        { err: error, booking_id: planned.booking_id },
        'a booking in the way of a blackout failed',
      );
    await finishPlan(deps.db.manager, planned, pickProblem(known ?? internalError()));
  }
}

const pickProblem = ({ code, message, context }: PlanProblem): PlanProblem => ({ code, message, context });

/**
 * Moves or cancels a booking, or notifies its payer. Errors: those of `requestChange` and
 * `requestCancellation`.
 */
async function act(
  deps: Deps,
  principal: Principal,
  booking: BookingRow,
  planned: BlackoutBooking,
): Promise<void> {
  const { plan, note } = planned;
  const actor = toChangeActor(principal);
  if (plan.do === 'move') {
    const { room_id, start_at, end_at, difference_minor } = plan;
    await requestChange(deps, actor, booking, {
      request: {
        ...(room_id !== booking.room_id && { room_id }),
        start_at,
        end_at,
        expected_difference_minor: difference_minor,
        blackout_id: planned.blackout_id,
        ...(can(principal.role, 'all_bookings') && { by_staff: true }),
      },
      on_authentication: 'fail',
    });
  }
  if (plan.do === 'cancel') {
    const { refund_policy, refund_minor } = plan;
    await assertMayRefund(deps, booking, refund_policy, principal.role);
    await requestCancellation(deps, actor, booking, {
      refund_policy,
      expected_refund_minor: refund_minor,
      reason: note,
      notify_attendees: true,
      at_desk: isLimitedAtDesk(principal.role) || undefined,
    });
  }
  if (plan.do === 'tell') await tellPayer(deps.db, planned);
  else await finishPlan(deps.db.manager, planned, null);
}
