import { isDeepStrictEqual } from 'node:util';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { validate } from '../../../api/http/validate.js';
import { rateSent, replaceRates } from '../../../api/resources/rates/operations.js';
import { roomIn } from '../../../api/resources/rooms/operations.js';
import { findBound } from '../../../commands/api-keys/idempotency.js';
import type { Room } from '../../../db/entities/rooms.js';
import { newUuid } from '../../../db/ids.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { completeRates } from '../../../domain/rates/contradictions.js';
import { findTaxRate } from '../../../domain/rates/entered-price.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import type { RoomRate } from '../../../domain/rates/rates.js';
import { wallClock } from '../../../domain/time-zone.js';
import { form } from '../forms/form.js';
import { together, type Inputs } from '../forms/inputs.js';
import type { PageRequest } from '../forms/page.js';
import type { Confirmation } from '../shared/confirmation.js';
import { formIdempotencyKey } from '../shared/form.js';
import { problemsIn } from '../shared/rejection.js';
import { readCompanies, type WithCompanies } from '../companies/choice.js';
import { Examples } from './examples.js';
import { priceInputs, whenInputs } from './inputs.js';
import { RateWeek } from './week.js';

/** The room whose rates change, and its tax rates. */
export interface RoomPage extends WithCompanies {
  room: Room;
  taxCodes: TaxCode[];
}

export interface OnePage extends RoomPage {
  rate: RoomRate;
}

const inputs = together<WithCompanies>({ ...whenInputs, ...priceInputs }, () => null);

/** The inputs of a rate, as error messages call them. */
const RATE = {
  fields: inputs.fields('', { body: rateSent, isChange: false }),
  called: { ...inputs.called(''), notice: 'notice' },
};

/** Today in a room's time zone, in days since 1970-01-01. */
export const todayIn = ({ time_zone }: Room): number => Math.floor(wallClock(Date.now(), time_zone) / DAY_MS);

/** The first day of the week that shows a rate: today, or when its season starts. */
export function findFirstDay(room: Room, rate: RoomRate | undefined): number {
  const season = rate?.dates?.from ? Date.parse(rate.dates.from) / DAY_MS : 0;
  return Math.max(todayIn(room), season);
}

/** Shows when the submitted rates apply, and example prices with them. */
function showExamples(ctx: ApiContext, { room, taxCodes }: RoomPage, rates: RoomRate[]): Confirmation {
  const changed = { ...room, rates };
  const rate = rates.find((each) => !room.rates.some((known) => isDeepStrictEqual(known, each)));
  return {
    title: `Rates of ${room.name}`,
    at: '/rooms',
    effects: (
      <>
        <h2>Rates by time</h2>
        <RateWeek ctx={ctx} room={changed} taxCodes={taxCodes} first={findFirstDay(room, rate)} />
        <h2>Example prices with these rates</h2>
        <Examples ctx={ctx} room={changed} before={room} taxCodes={taxCodes} />
        <p>Existing bookings keep their price.</p>
      </>
    ),
    button: 'Save rates',
  };
}

type SentRates = Parameters<(typeof replaceRates)['run']>[0]['body'];

/**
 * The rates as the operation's body. Errors: 422 on the fields of the rate that was entered. If another rate
 * of the room, stored under earlier rules, is now invalid, the 422 names that rate and no field.
 */
export function checked(rates: unknown[], room: Room): SentRates {
  try {
    const body = validate(replaceRates.body!, { rates }, false);
    completeRates(body.rates, room.rates, newUuid);
    return body;
  } catch (error) {
    const found = error instanceof ApiError ? error.context.errors : undefined;
    if (!found) throw error;
    const problems = problemsIn(error as ApiError, RATE);
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
export const ratesForm = <Data extends RoomPage>(
  inputs: Inputs<Data>,
  ratesWith: (data: Data, entered: Record<string, unknown>, rateId: string) => unknown[],
  { notice, ...options }: { notice: string; path?: string; of?: (data: Data) => object },
) =>
  form(replaceRates, inputs, {
    button: 'Preview prices',
    schema: rateSent,
    entry: ({ room }) => ({ currency: room.currency, time_zone: room.time_zone }),
    taxRate: ({ room, taxCodes }) => findTaxRate(taxCodes, room.tax_code),
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
export function findRateIndex({ room }: RoomPage, rateId: string): number {
  const index = room.rates.findIndex(({ id }) => id === rateId);
  if (index === -1) throw new ApiError('not_found', 'Rate not found.');
  return index;
}

/** Reads the room in the address. Errors: 404 `room_not_found`. */
export async function readRoom(request: PageRequest, deps: ApiDependencies): Promise<RoomPage> {
  const { manager } = deps.db;
  const room = await roomIn(manager, request.caller, request.params.id!);
  const { tax_codes } = (await findWorkspace(manager, room.workspace_id))!;
  const ids = room.rates.flatMap(({ audience }) => audience.company_ids ?? []);
  return { room, taxCodes: tax_codes, companies: await readCompanies(request, deps, ids) };
}
