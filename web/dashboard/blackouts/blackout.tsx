import { planAgain, planAnew, type RoomBlackout } from '../../../commands/blackouts/planned-bookings.js';
import { findBookings } from '../../../db/queries/bookings/booking.js';
import { findBlackout, findBookingsDuring } from '../../../db/queries/blackouts/blackout.js';
import { isId } from '../../../db/ids.js';
import type { Room } from '../../../db/entities/rooms.js';
import { MAX_IN_THE_WAY } from '../../../domain/blackouts/plan.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { object } from '../../../api/http/typed.js';
import { carryOut } from '../../../api/resources/blackouts/carry-out.js';
import { deleteBlackout } from '../../../api/resources/blackouts/operations.js';
import { roomIn } from '../../../api/resources/rooms/operations.js';
import { createFormats, otherZone } from '../../ui/formats.js';
import { action, form } from '../forms/form.js';
import { hidden } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { FactCard } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { Form } from '../shared/form.js';
import { localTime } from '../shared/local-time.js';
import { decisions, describeEffects, inShort, plannedBookings, type WithDecisions } from './decisions.js';
import { choicesFor, type BookingInTheWay } from './in-the-way.js';
import { newBlackoutPage } from './new-blackout.js';
import { outcomesInWords, listOutcomes, describeBlackoutOutcome, type Outcome } from './outcomes.js';

interface OneBlackout extends WithDecisions {
  room: Room;
  blackout: RoomBlackout;
}

/** The page of a blackout, with the bookings in its way. */
interface BlackoutPage extends OneBlackout {
  outcomes: Outcome[];
  inTheWay: BookingInTheWay[];
  /** Ids of bookings that may be left as they are. */
  optional: string[];
}

/** The blackout of an address with its room. Errors: 404. */
async function findOne(
  { params }: { params: Record<string, string> },
  caller: Pick<Principal, 'workspace_id'>,
  { db }: Pick<ApiDependencies, 'db'>,
): Promise<OneBlackout> {
  const room = await roomIn(db.manager, caller, params.id!);
  const id = params.blackout_id!;
  const blackout = isId('bo', id) ? await findBlackout(db.manager, room.id, id) : null;
  if (!blackout) throw new ApiError('not_found', 'This blackout does not exist, or has been deleted.');
  return { room, blackout: { ...blackout, room_id: room.id } };
}

/** Carries out what is pending and returns the outcomes. */
async function goOn(deps: ApiDependencies, caller: Principal, blackout: RoomBlackout): Promise<Outcome[]> {
  await carryOut(deps, caller, blackout);
  return listOutcomes(deps, caller, blackout);
}

const done = (outcomes: Outcome[]): string => outcomesInWords(outcomes).trim() || 'Nothing left to do.';

/**
 * Replaces the decisions about bookings in the way, after a confirmation with the amounts, and carries them
 * out.
 */
const decide = form(
  action({
    capability: 'write_blackouts',
    body: object({ planned: plannedBookings }, 'planned'),
    async run({ params, body }, caller, deps) {
      const { blackout } = await findOne({ params }, caller, deps);
      await planAnew(deps.db, caller, blackout, body.planned);
      return goOn(deps, caller, blackout);
    },
  }),
  { planned: decisions<OneBlackout>() },
  {
    button: 'Review',
    body(entered) {
      if ((entered.planned as unknown[]).length > 0) return entered;
      throw new ApiError('validation_failed', 'Choose what happens to at least one booking.', {
        param: 'choice',
      });
    },
    confirm: async ({ ctx, body: { planned } }, deps) => ({
      title: 'Change these bookings?',
      at: '/calendar',
      effects: await describeEffects(ctx, deps, planned),
      button: `Confirm: ${inShort(planned)}`,
      danger: true,
    }),
    notice: done,
  },
);

/** Carries out pending decisions, or retries a failed one. */
const again = form(
  action({
    capability: 'write_blackouts',
    body: object({ booking_id: text(64) }),
    async run({ params, body: { booking_id } }, caller, deps) {
      const { blackout } = await findOne({ params }, caller, deps);
      const { workspace_id } = caller;
      if (booking_id) await planAgain(deps.db, { workspace_id, blackout_id: blackout.id, booking_id });
      return goOn(deps, caller, blackout);
    },
  }),
  { booking_id: hidden<OneBlackout>(() => undefined) },
  { path: '/again', button: 'Continue', notice: done },
);

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The day on which a blackout begins, in the room's zone. */
const firstDay = ({ room, blackout }: OneBlackout): string =>
  localTime(blackout.start_at, room.time_zone).slice(0, 10);

const remove = form(
  deleteBlackout,
  { day: hidden(firstDay) },
  {
    path: '/delete',
    button: 'Delete blackout',
    rare: true,
    explains: 'The room can be booked at this time again. Moved and cancelled bookings are not restored.',
    notice: () => 'Blackout deleted.',
    to: (_, { params, submitted: { day } }) =>
      DAY.test(String(day)) ? `/calendar?day=${String(day)}` : `/rooms/${params.id}`,
  },
);

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
            {describeBlackoutOutcome(ctx, outcome)}
            {outcome.stays && outcome.planned.state === 'failed' && (
              <Form ctx={ctx} action={at + again.path} class="actions">
                <input type="hidden" name="booking_id" value={outcome.booking.id} />
                <button class="quiet">Try again</button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {isLeft && (
        <Form ctx={ctx} action={at + again.path} class="actions">
          <button>Continue</button>
        </Form>
      )}
    </>
  );
}

function ShowBlackout(props: PageProps<BlackoutPage>) {
  const { ctx, data } = props;
  const { room, blackout, outcomes, inTheWay } = data;
  const { moment } = createFormats(ctx, room.time_zone);
  const at = pathIn(ctx, props.at);
  const day = firstDay(data);
  return (
    <>
      <div class="narrow">
        <FactCard
          of={[
            ['From', `${moment(blackout.start_at)}${otherZone(ctx, room.time_zone)}`],
            ['Until', moment(blackout.end_at)],
            blackout.reason && ['Reason', blackout.reason],
            ['Calendar', <a href={pathIn(ctx, `/calendar?day=${day}&room_id=${room.id}`)}>View week</a>],
          ]}
        />
        <div class="actions">
          <remove.Drawer page={props} quiet />
        </div>
      </div>
      {outcomes.length > 0 && (
        <>
          <h2>Outcome</h2>
          <Outcomes ctx={ctx} outcomes={outcomes} at={at} />
        </>
      )}
      {inTheWay.length > 0 && (
        <>
          <h2>Bookings during this blackout</h2>
          <Form ctx={ctx} action={at} once>
            <decide.Inputs page={props} />
            <button>Review</button>
          </Form>
        </>
      )}
    </>
  );
}

export const blackouts = [
  newBlackoutPage,
  page({
    path: '/rooms/:id/blackouts/:blackout_id',
    capability: 'write_blackouts',
    at: '/calendar',
    title: ({ room }) => `Blackout of ${room.name}`,
    find: (request, deps): Promise<OneBlackout> => findOne(request, request.caller, deps),
    async load(request, deps): Promise<BlackoutPage> {
      const { ctx, caller } = request;
      const { manager } = deps.db;
      const { room, blackout } = await findOne(request, caller, deps);
      const outcomes = await listOutcomes(deps, caller, blackout);
      const isOver = blackout.end_at <= new Date();
      const ids = isOver ? [] : await findBookingsDuring(manager, room.id, blackout);
      const bookings = await findBookings(manager, room.workspace_id, ids.slice(0, MAX_IN_THE_WAY));
      const told = outcomes.flatMap(({ planned }) => (planned.told_at ? [planned.booking_id] : []));
      const inTheWay = await choicesFor(ctx, deps, { ...blackout, room }, bookings, told);
      return { room, blackout, outcomes, inTheWay, optional: ids };
    },
    view: ShowBlackout,
    forms: [decide, again, remove],
  }),
];
