import joi from 'joi';
import { findBound } from '../../../commands/api-keys/idempotency.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { validate } from '../../../api/http/validate.js';
import { rateSent, replaceRates } from '../../../api/resources/rates/operations.js';
import { roomIn } from '../../../api/resources/rooms/operations.js';
import type { Room } from '../../../db/entities/rooms.js';
import { newUuid } from '../../../db/ids.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { completeRates } from '../../../domain/rates/contradictions.js';
import { DAYS_OF_WEEK } from '../../../domain/rates/week.js';
import { MAX_RATES, type RoomRate } from '../../../domain/rates/rates.js';
import { wallClock } from '../../../domain/time-zone.js';
import { createFormats } from '../../ui/formats.js';
import { form, type Form } from '../forms/form.js';
import type { Inputs } from '../forms/inputs.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import type { Confirmation } from '../shared/confirmation.js';
import { Form as FormElement, formIdempotencyKey } from '../shared/form.js';
import { problemsIn } from '../shared/rejection.js';
import { roomTabs } from '../rooms/tabs.js';
import { Examples } from './examples.js';
import { rateInputs } from './inputs.js';
import { RateWeek } from './week.js';
import { describeAudience, describeRatePrice, describeWindow } from './words.js';

interface RoomPage {
  room: Room;
  taxCodes: TaxCode[];
}

interface OnePage extends RoomPage {
  rate: RoomRate;
}

/** Shows example prices with the submitted rates. */
function showExamples(ctx: ApiContext, { room, taxCodes }: RoomPage, rates: RoomRate[]): Confirmation {
  return {
    title: `Rates of ${room.name}`,
    at: '/rooms',
    effects: (
      <>
        <h2>Example prices with these rates</h2>
        <Examples ctx={ctx} room={{ ...room, rates }} before={room} taxCodes={taxCodes} />
        <p>Existing bookings keep their price.</p>
      </>
    ),
    button: 'Save rates',
  };
}

type SentRates = Parameters<(typeof replaceRates)['run']>[0]['body'];

/**
 * The rates as their operation takes them. Errors: 422 on fields of the rate that was entered; what is wrong
 * with another one of the room, stored when the rules were others, names that one and no field.
 */
function checked(rates: unknown[], room: Room): SentRates {
  try {
    const body = validate(replaceRates.body!, { rates }, false);
    completeRates(body.rates, room.rates, newUuid);
    return body;
  } catch (error) {
    const found = error instanceof ApiError ? error.context.errors : undefined;
    if (!found) throw error;
    const problems = problemsIn(error as ApiError, addRate);
    const errors = found.map((one, n) => {
      const rate = rates[Number(/^rates\.(\d+)/.exec(one.param ?? '')?.[1])];
      const other = room.rates.find((each) => each === rate);
      return other ? { message: `${other.name}: ${problems[n]!.message}` } : one;
    });
    const [first] = errors;
    throw new ApiError('validation_failed', first!.message, { errors });
  }
}

/** Whether the form was already saved: it was sent twice. */
const isSaved = async (ctx: ApiContext, { db }: ApiDependencies): Promise<boolean> =>
  (await findBound(db.manager, ctx.state.principal.workspace_id, formIdempotencyKey(ctx))) !== null;

/**
 * A form that replaces the rates of a room if nobody has changed them since. Before saving, it compares
 * example prices.
 */
const ratesForm = <Data extends RoomPage>(
  inputs: Inputs<unknown>,
  ratesWith: (data: Data, entered: Record<string, unknown>, rateId: string) => unknown[],
  { notice, ...options }: { notice: string; path?: string; of?: (data: Data) => object },
) =>
  form(replaceRates, inputs as Inputs<Data>, {
    button: 'Preview prices',
    schema: rateSent,
    entry: ({ room }) => ({ currency: room.currency, time_zone: room.time_zone }),
    body: async (entered, { data, ctx, deps }) =>
      (await isSaved(ctx, deps))
        ? { rates: data.room.rates }
        : checked(ratesWith(data, entered, ctx.params.rate_id!), data.room),
    version: ({ room }) => room.rate_version,
    called: { notice: 'notice' },
    confirm: async ({ ctx, data, body }) =>
      showExamples(ctx, data, completeRates(body.rates, data.room.rates, newUuid)),
    notice: () => notice,
    to: (_, { params }) => `/rooms/${params.id}/rates`,
    ...options,
  });

/** Errors: 404 if the rate has been removed. */
function findRateIndex({ room }: RoomPage, rateId: string): number {
  const index = room.rates.findIndex(({ id }) => id === rateId);
  if (index === -1) throw new ApiError('not_found', 'Rate not found.');
  return index;
}

const addRate: Form<RoomPage> = ratesForm<RoomPage>(
  rateInputs,
  ({ room }, entered) => [...room.rates, entered],
  {
    notice: 'The rate has been added. Move it up to give it priority over others.',
  },
);

/** A closed rate has no amount: one that is opened again needs its own. */
const withoutAmount = ({ rate }: OnePage) => (rate.closed ? { ...rate, amount_minor: null } : rate);

const changeRate = ratesForm<OnePage>(
  rateInputs,
  (data, entered) => {
    const { id } = data.rate;
    return data.room.rates.with(findRateIndex(data, id), { ...entered, id } as RoomRate);
  },
  { of: withoutAmount, notice: 'The rate has been saved.' },
);

const moveRateUp = ratesForm<RoomPage>(
  {},
  (data, _, rateId) => {
    const index = findRateIndex(data, rateId);
    const others = data.room.rates.toSpliced(index, 1);
    return others.toSpliced(Math.max(0, index - 1), 0, data.room.rates[index]!);
  },
  { path: '/:rate_id/up', notice: 'The order of the rates has been saved.' },
);

const removeRate = ratesForm<RoomPage>(
  {},
  (data, _, rateId) => data.room.rates.toSpliced(findRateIndex(data, rateId), 1),
  { path: '/:rate_id/remove', notice: 'The rate has been removed.' },
);

const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;

function Rate({ page, rate, isFirst }: { page: PageProps<RoomPage>; rate: RoomRate; isFirst: boolean }) {
  const { ctx, at, data } = page;
  const action = pathIn(ctx, `${at}/${rate.id}`);
  const { amount } = createFormats(ctx);
  return (
    <li class="card">
      <h3>{rate.name}</h3>
      <p>
        {describeWindow(rate)}:{' '}
        <strong>{describeRatePrice(rate, (minor) => amount(minor, data.room.currency))}</strong>
        <br />
        <span class="soft">For {describeAudience(rate)}.</span>
      </p>
      <div class="actions">
        <a class="button quiet" href={action} aria-label={`Edit ${rate.name}`}>
          {' '}
          Edit
        </a>
        {!isFirst && (
          <FormElement ctx={ctx} action={`${action}/up`} once>
            <moveRateUp.Inputs page={page} />
            <button class="quiet" aria-label={`Move up: ${rate.name}`}>
              Move up
            </button>
          </FormElement>
        )}
        <FormElement ctx={ctx} action={`${action}/remove`} once>
          <removeRate.Inputs page={page} />
          <button class="quiet" aria-label={`Remove ${rate.name}`}>
            Remove
          </button>
        </FormElement>
      </div>
    </li>
  );
}

/** The first day of the week in the address, else today in the room's time zone, in days since 1970-01-01. */
function firstDayIn(ctx: ApiContext, { time_zone }: Room): number {
  const { week } = (ctx.state.query ?? {}) as { week?: string };
  const asked = week && DAY_PATTERN.test(week) ? Date.parse(week) : NaN;
  return Math.floor((Number.isNaN(asked) ? wallClock(Date.now(), time_zone) : asked) / DAY_MS);
}

function Weeks({ ctx, room, first }: { ctx: ApiContext; room: Room; first: number }) {
  const to = (day: number): string =>
    `${pathIn(ctx, `/rooms/${room.id}/rates`)}?week=` +
    `${new Date(day * DAY_MS).toISOString().slice(0, 10)}#week`;
  return (
    <nav class="weeks" aria-label="Weeks">
      <span>Rates for everyone, in the room’s time zone.</span>
      <a href={to(first - DAYS_OF_WEEK)}>Previous seven days</a>
      <a href={to(first + DAYS_OF_WEEK)}>Next seven days</a>
    </nav>
  );
}

/** The rates of a room in order of priority, with example prices and a form to add one. */
function Rates(props: PageProps<RoomPage>) {
  const { ctx, data } = props;
  const { room, taxCodes } = data;
  const { amount } = createFormats(ctx);
  const first = firstDayIn(ctx, room);
  return (
    <>
      <p>
        Each minute is priced by the first rate in the list that matches it. Without a matching rate, an hour
        costs {amount(room.price_per_hour_minor, room.currency)}.
      </p>
      {room.rates.length > 0 && (
        <>
          <h2>Order of priority</h2>
          <ol class="plain">
            {room.rates.map((rate, index) => (
              <Rate key={rate.id} page={props} rate={rate} isFirst={index === 0} />
            ))}
          </ol>
          <h2 id="week">Rates by time</h2>
          <Weeks ctx={ctx} room={room} first={first} />
          <RateWeek ctx={ctx} room={room} first={first} />
        </>
      )}
      <h2>Example prices</h2>
      <div class="card">
        <Examples ctx={ctx} room={room} taxCodes={taxCodes} />
      </div>
      {room.rates.length < MAX_RATES && (
        <>
          <h2>Add rate</h2>
          <addRate.Open page={props} />
        </>
      )}
    </>
  );
}

async function readRoom({ caller, params }: PageRequest, { db }: ApiDependencies): Promise<RoomPage> {
  const room = await roomIn(db.manager, caller, params.id!);
  const { tax_codes } = (await findWorkspace(db.manager, room.workspace_id))!;
  return { room, taxCodes: tax_codes };
}

export const rates = [
  page({
    path: '/rooms/:id/rates',
    capability: 'write_rooms',
    /** `week`: the first day shown. */
    query: joi.object({ week: text(10).allow('') }),
    title: ({ room }) => room.name,
    tabs: roomTabs,
    load: readRoom,
    view: Rates,
    forms: [addRate, moveRateUp, removeRate],
  }),
  page({
    path: '/rooms/:id/rates/:rate_id',
    capability: 'write_rooms',
    title: ({ rate, room }) => `${rate.name} · ${room.name}`,
    tabs: roomTabs,
    async load(request, deps): Promise<OnePage> {
      const data = await readRoom(request, deps);
      return { ...data, rate: data.room.rates[findRateIndex(data, request.params.rate_id!)]! };
    },
    view: (props) => <changeRate.Open page={props} />,
    forms: [changeRate],
  }),
];
