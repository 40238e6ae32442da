import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { object } from '../../../api/http/typed.js';
import { blackoutSent, createBlackout } from '../../../api/resources/blackouts/operations.js';
import { carryOut } from '../../../api/resources/blackouts/carry-out.js';
import { roomIn } from '../../../api/resources/rooms/operations.js';
import { createPlannedBlackout } from '../../../commands/blackouts/planned-bookings.js';
import type { Room } from '../../../db/entities/rooms.js';
import { findBookingsDuring } from '../../../db/queries/blackouts/blackout.js';
import { findBookings } from '../../../db/queries/bookings/booking.js';
import { assertPeriod } from '../../../domain/blackouts/blackout.js';
import { MAX_IN_THE_WAY } from '../../../domain/blackouts/plan.js';
import { ApiError } from '../../../domain/errors.js';
import { createFormats, otherZone } from '../../ui/formats.js';
import type { Entry, Submitted } from '../forms/fields.js';
import { action, form, type FormOptions } from '../forms/form.js';
import { note, type Inputs } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { Form } from '../shared/form.js';
import { instantIn } from '../shared/local-time.js';
import type { Shown } from '../shared/workspace.js';
import {
  Decisions,
  decisions,
  describeEffects,
  inShort,
  plannedBookings,
  type DecisionForm,
} from './decisions.js';
import { choicesFor, type BookingInTheWay } from './in-the-way.js';
import { outcomesInWords, listOutcomes } from './outcomes.js';
import type { Closed } from './alternatives.js';

/** The submitted times are local times of the room. */
interface Entered {
  start_at: string;
  end_at: string;
  reason?: string;
}

/** The inputs of a blackout. `day`: the default day. */
const inputs = <Data,>(day?: (data: Data) => string): Inputs<Data> => ({
  start_at: { label: 'From', initial: day && ((data) => `${day(data)}T09:00`) },
  end_at: { label: 'Until', initial: day && ((data) => `${day(data)}T17:00`) },
  reason: 'Reason',
  next: note(() => <p class="hint">For bookings that overlap, you choose next.</p>),
});

/** The bookings in the way of a new blackout; null if there are none. Errors: 422 for too many. */
async function readInTheWay(
  ctx: ApiContext,
  deps: ApiDependencies,
  closed: Closed,
): Promise<BookingInTheWay[] | null> {
  assertPeriod(closed);
  const { room } = closed;
  const ids = await findBookingsDuring(deps.db.manager, room.id, closed);
  if (ids.length === 0) return null;
  if (ids.length > MAX_IN_THE_WAY) {
    const found = `${ids.length} bookings overlap this blackout.`;
    const message = `${found} Choose a shorter time that overlaps at most ${MAX_IN_THE_WAY}.`;
    throw new ApiError('validation_failed', message, { param: 'end_at' });
  }
  return choicesFor(ctx, deps, closed, await findBookings(deps.db.manager, room.workspace_id, ids));
}

const bookingsTitle = ({ length }: unknown[]): string =>
  length === 1 ? 'One booking overlaps this blackout' : `${length} bookings overlap this blackout`;

/** The bookings in the way of a new blackout, with the options for each. */
function InTheWay(props: { ctx: ApiContext; closed: Closed; entered: Entered; inTheWay: BookingInTheWay[] }) {
  const { ctx, closed, entered, inTheWay } = props;
  const { room, start_at, end_at } = closed;
  const { moment } = createFormats(ctx, room.time_zone);
  return (
    <>
      <p>
        {room.name} will be closed from {moment(start_at)} until {moment(end_at)}
        {otherZone(ctx, room.time_zone)}. Nothing changes before you review the amounts.
      </p>
      <Form ctx={ctx} action={pathIn(ctx, `/rooms/${room.id}/blackouts/new`)} once>
        <input type="hidden" name="start_at" value={entered.start_at} />
        <input type="hidden" name="end_at" value={entered.end_at} />
        <input type="hidden" name="reason" value={entered.reason ?? ''} />
        <Decisions ctx={ctx} inTheWay={inTheWay} />
        <p class="actions">
          <button>Review</button>
          <a class="button quiet" href={pathIn(ctx, `/calendar?day=${entered.start_at.slice(0, 10)}`)}>
            Discard blackout
          </a>
        </p>
      </Form>
    </>
  );
}

/** The page with the bookings in the way of the submitted blackout; null if there are none. */
async function showInTheWay(ctx: ApiContext, deps: ApiDependencies, closed: Closed): Promise<Shown | null> {
  const inTheWay = await readInTheWay(ctx, deps, closed);
  if (!inTheWay) return null;
  const entered = ctx.state.body as Entered;
  return {
    title: bookingsTitle(inTheWay),
    at: '/calendar',
    children: <InTheWay {...{ ctx, closed, entered, inTheWay }} />,
  };
}

type CreateBody = Parameters<(typeof createBlackout)['run']>[0]['body'];
type Created = Awaited<ReturnType<(typeof createBlackout)['run']>>;

/** A form that adds a blackout, or shows the bookings in its way. */
export const addBlackout = <Data,>({
  more,
  day,
  findRoom,
  ...options
}: {
  /** Inputs before those of the blackout. */
  more?: Inputs<Data>;
  day?: (data: Data) => string;
  /** The room that it closes. Errors: 404. */
  findRoom: (sent: { ctx: ApiContext; data: Data }, deps: ApiDependencies) => Promise<Room>;
  entry: (data: Data, submitted?: Submitted) => Partial<Entry>;
} & Pick<FormOptions<CreateBody, Created, Data>, 'path' | 'params' | 'to'>) =>
  form(
    createBlackout,
    { ...more, ...inputs(day) },
    {
      summary: 'Add blackout',
      button: 'Add blackout',
      confirm: async ({ ctx, data, body: { start_at, end_at } }, deps) =>
        showInTheWay(ctx, deps, { room: await findRoom({ ctx, data }, deps), start_at, end_at }),
      notice: () => 'Blackout added.',
      ...options,
    },
  );

/** Closes the room of a page. */
export const addBlackoutOfRoom = addBlackout({
  path: '/blackouts',
  findRoom: async ({ data }: { data: { room: Room } }) => data.room,
  entry: ({ room }) => ({ time_zone: room.time_zone }),
});

/** The form of a room's blackout, or what is in its way. */
interface NewPage {
  room: Room;
  closed: Closed | null;
  entered: Entered | null;
  inTheWay: BookingInTheWay[] | null;
}

/**
 * Adds a blackout with the decisions about the bookings in its way, after a confirmation with the amounts,
 * and carries them out (docs/rules/rooms.md#bookings-in-the-way). If the form is sent again, it continues
 * with the remaining bookings.
 */
const newBlackout = form(
  action({
    capability: 'write_blackouts',
    body: object({ ...blackoutSent, planned: plannedBookings }, 'start_at', 'end_at', 'planned'),
    async run({ params, body, idempotency }, caller, deps) {
      const sent = { ...body, room_id: params.id! };
      const { object: blackout } = await createPlannedBlackout(
        deps.db,
        deps.quotas,
        caller,
        sent,
        idempotency,
      );
      await carryOut(deps, caller, blackout);
      return { blackout, planned: body.planned, outcomes: await listOutcomes(deps, caller, blackout) };
    },
  }),
  { ...inputs<NewPage>(), planned: decisions<NewPage>() },
  {
    button: 'Add blackout',
    entry: ({ room }) => ({ time_zone: room.time_zone }),
    body(entered, { ctx }) {
      const { booking } = ctx.state.body as DecisionForm;
      if ((entered.planned as unknown[]).length < booking.length)
        throw new ApiError('validation_failed', 'Choose what happens to each booking.', { param: 'choice' });
      return entered;
    },
    async confirm({ ctx, data: { room }, body: { start_at, end_at, planned } }, deps) {
      const { booking } = ctx.state.body as DecisionForm;
      if (booking.length === 0) return showInTheWay(ctx, deps, { room, start_at, end_at });
      const { moment } = createFormats(ctx, room.time_zone);
      return {
        title: 'Add this blackout?',
        at: '/calendar',
        effects: (
          <>
            <p>
              {room.name} will be closed from {moment(start_at)} until {moment(end_at)}
              {otherZone(ctx, room.time_zone)}.
            </p>
            {await describeEffects(ctx, deps, planned)}
          </>
        ),
        button: `Add blackout, ${inShort(planned)}`,
        danger: true,
      };
    },
    notice: ({ outcomes }) => `Blackout added.${outcomesInWords(outcomes)}`,
    to: ({ blackout, planned }, { submitted }) =>
      planned.length > 0
        ? `/rooms/${blackout.room_id}/blackouts/${blackout.id}`
        : `/calendar?day=${String(submitted.start_at).slice(0, 10)}`,
  },
);

/** The submitted time; null if it is missing or invalid. */
function closedIn({ start_at, end_at }: Entered, room: Room): Closed | null {
  const { time_zone } = room;
  try {
    const closed = {
      room,
      start_at: instantIn(start_at, time_zone, 'start_at'),
      end_at: instantIn(end_at, time_zone, 'end_at'),
    };
    assertPeriod(closed);
    return closed;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function NewBlackout(props: PageProps<NewPage>) {
  const { closed, entered, inTheWay } = props.data;
  if (!inTheWay) return <newBlackout.Open page={props} />;
  return <InTheWay ctx={props.ctx} closed={closed!} entered={entered!} inTheWay={inTheWay} />;
}

/** The page to add a blackout. */
export const newBlackoutPage = page({
  path: '/rooms/:id/blackouts/new',
  capability: 'write_blackouts',
  at: '/calendar',
  title: ({ room, inTheWay }) => (inTheWay ? bookingsTitle(inTheWay) : `Add blackout to ${room.name}`),
  async load({ ctx, caller, params }, deps): Promise<NewPage> {
    const room = await roomIn(deps.db.manager, caller, params.id!);
    // A rejected form, or one to which the user has returned from the confirmation.
    const entered = (ctx.state.rejection?.submitted as Entered | undefined) ?? null;
    const closed = entered && closedIn(entered, room);
    return { room, entered, closed, inTheWay: closed && (await readInTheWay(ctx, deps, closed)) };
  },
  view: NewBlackout,
  forms: [newBlackout],
});
