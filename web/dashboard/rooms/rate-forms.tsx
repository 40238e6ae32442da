import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Room } from '../../../db/entities/rooms.js';
import { ApiError, namedIn } from '../../../domain/errors.js';
import { contradictionsOf } from '../../../domain/rate-contradictions.js';
import type { RoomRate } from '../../../domain/rates.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { put } from '../../../api/resources/rates/handlers.js';
import { ratesSchema } from '../../../api/resources/rates/shape.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { apiForm } from '../shared/api-form.js';
import type { FormRoute } from '../shared/section.js';
import { rateEntered, rateFields, versionFields, type RateForm } from './rate-fields.js';
import { Examples } from './rate-examples.js';

const toRates = (ctx: ApiContext): string => `/rooms/${ctx.params.id}/rates`;

/** The inputs whose names are not the API's, and what people call them. */
const INPUTS: Record<string, [input: string, called: string]> = {
  from: ['from', 'start of the window'],
  to: ['to', 'end of the window'],
  'dates.from': ['dates_from', 'first date'],
  'dates.to': ['dates_to', 'last date'],
  'audience.tiers': ['tiers', 'choice of plans'],
  'notice.min_minutes': ['notice_minutes', 'latest time to book'],
  'notice.max_days': ['notice_days', 'earliest time to book'],
  notice: ['notice_days', 'time to book'],
  min_minutes: ['min_minutes', 'minimum length'],
  cap_minor: ['cap_minor', 'limit of a booking'],
  day_cap_minor: ['day_cap_minor', 'limit of a day'],
  minimum_minor: ['minimum_minor', 'minimum'],
  always: ['always', 'choice to charge it always'],
};
const called = (field: string): string => INPUTS[field]?.[1] ?? field.replaceAll('_', ' ');

/** Throws 422 on the input of a form if its rate contradicts itself. */
function assertConsistent(rate: ReturnType<typeof rateEntered>): void {
  const [found] = contradictionsOf({ ...rate, amount_minor: rate.amount_minor ?? 0 } as RoomRate);
  if (!found) return;
  const [field, says] = found;
  const message = `The ${called(field)} ${namedIn(says, (other) => `the ${called(other)}`)}.`;
  throw new ApiError('validation_failed', message, { param: INPUTS[field]?.[0] ?? field });
}

/**
 * A form that replaces the rates of a room by others, if nobody has changed them since it was shown. It shows first what
 * examples cost then and now.
 */
const ratesForm = <Form extends { version: string }>(
  change: (rates: RoomRate[], form: Form, room: Room, ctx: ApiContext) => object[],
  notice: string,
) =>
  apiForm<Form>({
    handler: put,
    schema: ratesSchema,
    async body(form, ctx, deps) {
      const room = await roomOf(ctx, deps);
      ctx.req.headers['if-match'] = form.version;
      return { rates: change(room.rates, form, room, ctx) };
    },
    async confirm(_form, ctx, deps: ApiDependencies) {
      const before = await roomOf(ctx, deps);
      const { rates } = ctx.state.body as unknown as { rates: RoomRate[] };
      const complete = rates.map((rate) => ({ ...rate, amount_minor: rate.amount_minor ?? 0 }));
      const room: Room = { ...before, rates: complete };
      const { tax_codes } = (await findWorkspace(deps.db.manager, before.workspace_id))!;
      return {
        title: `Rates of ${before.name}`,
        at: '/rooms',
        effects: (
          <>
            <h2>What examples cost then</h2>
            <Examples ctx={ctx} room={room} before={before} taxCodes={tax_codes} />
            <p>Bookings that exist keep their price.</p>
          </>
        ),
        button: 'Save rates',
      };
    },
    notice: () => notice,
    to: toRates,
  });

/** The rate of the address among those of a room. Errors: 404 if somebody has removed it. */
function indexOf(rates: RoomRate[], ctx: ApiContext): number {
  const index = rates.findIndex(({ id }) => id === ctx.params.rate_id);
  if (index === -1) throw new ApiError('not_found', 'No such rate.');
  return index;
}

const addForm = ratesForm<RateForm>((rates, form, { currency }) => {
  const rate = rateEntered(form, currency, null);
  assertConsistent(rate);
  return [...rates, rate];
}, 'The rate has been added. Move it up if it is to come before others.');

const changeForm = ratesForm<RateForm>((rates, form, { currency }, ctx) => {
  const index = indexOf(rates, ctx);
  const rate = rateEntered(form, currency, rates[index]!);
  assertConsistent(rate);
  return rates.with(index, rate as RoomRate);
}, 'The rate has been saved.');

const upForm = ratesForm((rates, _form, _room, ctx) => {
  const index = indexOf(rates, ctx);
  const [rate] = rates.slice(index, index + 1);
  const others = rates.toSpliced(index, 1);
  return others.toSpliced(Math.max(0, index - 1), 0, rate!);
}, 'The order of the rates has been saved.');

const removeForm = ratesForm(
  (rates, _form, _room, ctx) => rates.toSpliced(indexOf(rates, ctx), 1),
  'The rate has been removed.',
);

/** The forms of the list of rates. */
export const listForms: FormRoute[] = [
  ['', rateFields, addForm],
  ['/:rate_id/up', versionFields, upForm],
  ['/:rate_id/remove', versionFields, removeForm],
];

/** The form of one rate. */
export const oneForms: FormRoute[] = [['', rateFields, changeForm]];
