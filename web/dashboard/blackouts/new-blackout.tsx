import { insertPlannedBlackout } from '../../../commands/blackouts/planned-bookings.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { newId } from '../../../db/ids.js';
import { findBookings } from '../../../db/queries/bookings/booking.js';
import { findBlackout, findBookingsDuring } from '../../../db/queries/blackouts/blackout.js';
import type { Room } from '../../../db/entities/rooms.js';
import { MAX_IN_THE_WAY } from '../../../domain/blackouts/plan.js';
import { ApiError } from '../../../domain/errors.js';
import { presentBlackout } from '../../../domain/blackouts/presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { createOnce } from '../../../api/http/idempotency.js';
import { carryOut } from '../../../api/resources/blackouts/carry-out.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { formatsOf, otherZone } from '../../ui/formats.js';
import { pathIn } from '../shared/api-form.js';
import { ReturnedToForm, showConfirmation } from '../shared/confirmation.js';
import { Form, formIdempotencyKey } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';
import { Decisions, decisionFields, effectsOf, inShort, plannedIn, type DecisionForm } from './decisions.js';
import { closedIn, type Closed } from './closed.js';
import { choicesFor } from './in-the-way.js';
import { blackoutFields, BlackoutInputs, type EnteredBlackout } from './inputs.js';
import { outcomeInWords } from './outcomes.js';

export const newBlackoutFields = { ...blackoutFields, ...decisionFields };

const pathOfNew = (ctx: ApiContext, { id }: Room): string => pathIn(ctx, `/rooms/${id}/blackouts/new`);

/**
 * Shows the bookings in the way of a blackout that is to be added, with what can be done about each. Returns
 * false if there are none.
 */
export async function showBookingsInTheWay(
  ctx: ApiContext,
  deps: ApiDependencies,
  closed: Closed,
  entered: EnteredBlackout,
): Promise<boolean> {
  const { room } = closed;
  const ids = await findBookingsDuring(deps.db.manager, room.id, closed);
  if (ids.length === 0) return false;
  assertFew(ids);
  const bookings = await findBookings(deps.db.manager, room.workspace_id, ids);
  const inTheWay = await choicesFor(ctx, deps, closed, bookings);
  const { moment } = formatsOf(ctx, room.time_zone);
  showSection(ctx, {
    title: ids.length === 1 ? 'A booking is in the way' : `${ids.length} bookings are in the way`,
    at: '/calendar',
    children: (
      <>
        <p>
          {room.name} is to be closed from {moment(closed.start_at)} until {moment(closed.end_at)}
          {otherZone(ctx, room.time_zone)}. Choose what happens to each booking. You see the amounts once more
          before anything is done.
        </p>
        <Form ctx={ctx} action={pathOfNew(ctx, room)} once>
          <input type="hidden" name="start_at" value={entered.start_at} />
          <input type="hidden" name="end_at" value={entered.end_at} />
          <input type="hidden" name="reason" value={entered.reason ?? ''} />
          <Decisions ctx={ctx} inTheWay={inTheWay} />
          <p class="actions">
            <button>Review</button>
            <a class="button quiet" href={pathIn(ctx, `/calendar?day=${entered.start_at.slice(0, 10)}`)}>
              Add no blackout
            </a>
          </p>
        </Form>
      </>
    ),
  });
  return true;
}

function assertFew({ length }: unknown[]): void {
  if (length <= MAX_IN_THE_WAY) return;
  const message = `${length} bookings are in the way. Choose a shorter time, with at most ${MAX_IN_THE_WAY}.`;
  throw new ApiError('validation_failed', message, { param: 'end_at' });
}

/**
 * `GET /dashboard/:workspace/rooms/:id/blackouts/new`: the form of a room's blackout, or what is in its way.
 */
export function showNewBlackout(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const entered = ctx.state.submitted as unknown as EnteredBlackout | undefined;
    const closed = entered && closedOrNull(entered, room);
    if (closed && (await showBookingsInTheWay(ctx, deps, closed, entered))) return;
    showSection(ctx, {
      title: `Add a blackout of ${room.name}`,
      at: '/calendar',
      children: (
        <Form class="card" ctx={ctx} action={pathOfNew(ctx, room)} once>
          <BlackoutInputs />
          <button>Add blackout</button>
        </Form>
      ),
    });
  };
}

function closedOrNull(entered: EnteredBlackout, room: Room): Closed | null {
  try {
    return closedIn(entered, room);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/**
 * Adds a blackout with what happens to the bookings in its way, after a confirmation with the amounts, and
 * carries it out (docs/rules/rooms.md#bookings-in-the-way). A repeat of the form goes on with what is left.
 */
export function newBlackoutForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const form = ctx.state.body as EnteredBlackout & DecisionForm;
    if (form.confirmed === 'no' || form.all) throw new ReturnedToForm();
    const room = await roomOf(ctx, deps);
    const closed = closedIn(form, room);
    if (form.booking.length === 0 && (await showBookingsInTheWay(ctx, deps, closed, form))) return;
    const planned = plannedIn(form);
    if (planned.length < form.booking.length)
      throw new ApiError('validation_failed', 'Choose what happens to each booking.', { param: 'choice' });
    if (planned.length > 0 && form.confirmed !== 'yes')
      return showConfirmation(ctx, {
        title: 'Add this blackout?',
        at: '/calendar',
        effects: (
          <>
            <p>
              {room.name} is closed from {formatsOf(ctx, room.time_zone).moment(closed.start_at)} until{' '}
              {formatsOf(ctx, room.time_zone).moment(closed.end_at)}.
            </p>
            {await effectsOf(ctx, deps, planned)}
          </>
        ),
        button: `Add blackout, ${inShort(planned)}`,
        danger: true,
      });
    ctx.state.idempotency = formIdempotencyKey(ctx);
    const { start_at, end_at } = closed;
    const { id: room_id, workspace_id } = room;
    const id = newId('bo');
    await createOnce(ctx, deps.db, id, {
      async create(tx) {
        const { blackout, bookings: booking_ids } = await insertPlannedBlackout(
          tx,
          deps.quotas,
          { id, workspace_id, room_id, start_at, end_at, reason: form.reason || null },
          planned,
        );
        const details = { room_id, after: presentBlackout(blackout), booking_ids };
        await audit(tx, ctx.state.principal, { action: 'blackout.created', object: id, details });
      },
      find: (tx, bound) => findBlackout(tx, room_id, bound),
    });
    const blackout = { ...(ctx.body as NonNullable<Awaited<ReturnType<typeof findBlackout>>>), room_id };
    await carryOut(deps, ctx.state.principal, blackout);
    const done = await outcomeInWords(deps, ctx, blackout);
    const to =
      planned.length > 0
        ? `/rooms/${room_id}/blackouts/${blackout.id}`
        : `/calendar?day=${form.start_at.slice(0, 10)}`;
    redirectWithNotice(ctx, pathIn(ctx, to), `Blackout added.${done}`);
  };
}
