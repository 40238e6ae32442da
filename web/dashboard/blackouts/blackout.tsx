import { planAgain, planBookings } from '../../../commands/blackouts/planned-bookings.js';
import { findBookings } from '../../../db/queries/bookings/booking.js';
import { findBlackout, findBookingsDuring } from '../../../db/queries/blackouts/blackout.js';
import { MAX_IN_THE_WAY } from '../../../domain/blackouts/plan.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { carryOut } from '../../../api/resources/blackouts/carry-out.js';
import { remove } from '../../../api/resources/blackouts/handlers.js';
import { isBlackoutId } from '../../../api/resources/blackouts/shape.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { formatsOf, otherZone } from '../../ui/formats.js';
import { Facts } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { ReturnedToForm, showConfirmation } from '../shared/confirmation.js';
import { Confirm, Form } from '../shared/form.js';
import { localTime } from '../shared/local-time.js';
import { redirectWithNotice } from '../shared/notice.js';
import type { FormRoute } from '../shared/section.js';
import { showSection } from '../shared/workspace.js';
import { Decisions, decisionFields, effectsOf, inShort, plannedIn, type DecisionForm } from './decisions.js';
import { choicesFor } from './in-the-way.js';
import { outcomeInWords, outcomesOf, sentenceOf, type Outcome } from './outcomes.js';

const pathOf = (ctx: ApiContext): string => `/rooms/${ctx.params.id}/blackouts/${ctx.params.blackout_id}`;

/** The blackout of the address with its room. Errors: 404. */
async function blackoutOf(ctx: ApiContext, deps: ApiDependencies) {
  const room = await roomOf(ctx, deps);
  const { blackout_id: id } = ctx.params;
  const blackout = isBlackoutId(id!) ? await findBlackout(deps.db.manager, room.id, id!) : null;
  if (!blackout) throw new ApiError('not_found', 'This blackout does not exist, or has been removed.');
  return { room, blackout: { ...blackout, room_id: room.id } };
}

/** `GET /dashboard/:workspace/rooms/:id/blackouts/:blackout_id`: a blackout with the bookings in its way. */
export function showBlackout(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { room, blackout } = await blackoutOf(ctx, deps);
    const { manager } = deps.db;
    const outcomes = await outcomesOf(deps, ctx, blackout);
    const isOver = blackout.end_at <= new Date();
    const ids = isOver ? [] : await findBookingsDuring(manager, room.id, blackout);
    const bookings = await findBookings(manager, room.workspace_id, ids.slice(0, MAX_IN_THE_WAY));
    const told = outcomes.flatMap(({ planned }) => (planned.told_at ? [planned.booking_id] : []));
    const inTheWay = await choicesFor(ctx, deps, { ...blackout, room }, bookings, told);
    const { moment } = formatsOf(ctx, room.time_zone);
    const at = pathIn(ctx, pathOf(ctx));
    const day = localTime(blackout.start_at, room.time_zone).slice(0, 10);
    showSection(ctx, {
      title: `Blackout of ${room.name}`,
      at: '/calendar',
      children: (
        <>
          <Facts
            of={[
              ['From', `${moment(blackout.start_at)}${otherZone(ctx, room.time_zone)}`],
              ['Until', moment(blackout.end_at)],
              blackout.reason && ['Reason', blackout.reason],
              [
                'Calendar',
                <a href={pathIn(ctx, `/calendar?day=${day}&room_id=${room.id}`)}>Week of the room</a>,
              ],
            ]}
          />
          <Confirm ctx={ctx} summary="Remove blackout" action={`${at}/delete`} button="Remove blackout">
            <input type="hidden" name="day" value={day} />
            The room can be booked at this time again. Bookings that were moved or cancelled stay so.
          </Confirm>
          {outcomes.length > 0 && (
            <>
              <h2>What was done</h2>
              <Outcomes ctx={ctx} outcomes={outcomes} at={at} />
            </>
          )}
          {inTheWay.length > 0 && (
            <>
              <h2>Bookings in this time</h2>
              <Form ctx={ctx} action={at} once>
                <Decisions ctx={ctx} inTheWay={inTheWay} optional={ids} />
                <button>Review</button>
              </Form>
            </>
          )}
        </>
      ),
    });
  };
}

function Outcomes({ ctx, outcomes, at }: { ctx: ApiContext; outcomes: Outcome[]; at: string }) {
  const isLeft = outcomes.some(({ planned, stays }) => stays && planned.state === 'planned');
  return (
    <>
      <ul class="card outcomes">
        {outcomes.map((outcome) => (
          <li key={outcome.booking.id}>
            <a href={pathIn(ctx, `/bookings/${outcome.booking.id}`)}>
              <code>{outcome.booking.reference}</code>
            </a>{' '}
            {sentenceOf(ctx, outcome)}
            {outcome.stays && outcome.planned.state === 'failed' && (
              <Form ctx={ctx} action={`${at}/again`} class="actions">
                <input type="hidden" name="booking_id" value={outcome.booking.id} />
                <button class="quiet">Try again</button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {isLeft && (
        <Form ctx={ctx} action={`${at}/again`} class="actions">
          <button>Go on</button>
        </Form>
      )}
    </>
  );
}

/** Changes what happens to bookings in the way, after a confirmation with the amounts, and carries it out. */
function decideForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const form = ctx.state.body as DecisionForm;
    if (form.confirmed === 'no' || form.all) throw new ReturnedToForm();
    const { blackout } = await blackoutOf(ctx, deps);
    const planned = plannedIn(form);
    if (planned.length === 0) {
      const message = 'Choose what happens to a booking.';
      throw new ApiError('validation_failed', message, { param: 'choice' });
    }
    if (form.confirmed !== 'yes')
      return showConfirmation(ctx, {
        title: 'Change these bookings?',
        at: '/calendar',
        effects: await effectsOf(ctx, deps, planned),
        button: `Confirm: ${inShort(planned)}`,
        danger: true,
      });
    const inTheWay = await findBookingsDuring(deps.db.manager, blackout.room_id, blackout);
    const { workspace_id } = ctx.state.membership!;
    await planBookings(
      deps.db.manager,
      { workspace_id, blackout_id: blackout.id },
      planned.filter(({ booking_id }) => inTheWay.includes(booking_id)),
    );
    await goOn(deps, ctx);
  };
}

/** Carries out what is left, or tries again what has failed. */
function againForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { blackout } = await blackoutOf(ctx, deps);
    const { booking_id } = ctx.state.body as { booking_id?: string };
    const { workspace_id } = ctx.state.membership!;
    if (booking_id) await planAgain(deps.db.manager, { workspace_id, blackout_id: blackout.id, booking_id });
    await goOn(deps, ctx);
  };
}

async function goOn(deps: ApiDependencies, ctx: ApiContext): Promise<void> {
  const { blackout } = await blackoutOf(ctx, deps);
  await carryOut(deps, ctx.state.principal, blackout);
  const done = await outcomeInWords(deps, ctx, blackout);
  redirectWithNotice(ctx, pathIn(ctx, pathOf(ctx)), done.trim() || 'Nothing was left to do.');
}

const removeForm = apiForm({
  handler: remove,
  notice: () => 'Blackout removed.',
  to: ({ params, state: { submitted } }) =>
    submitted?.day ? `/calendar?day=${String(submitted.day)}` : `/rooms/${params.id}`,
});

/** The forms of a blackout's page. */
export const blackoutForms: FormRoute[] = [
  ['', decisionFields, decideForm],
  ['/again', { ...hiddenFields, booking_id: text(64) }, againForm],
  ['/delete', { ...hiddenFields, day: text(10).pattern(/^\d{4}-\d\d-\d\d$/) }, removeForm],
];
