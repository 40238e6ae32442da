import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { newUuid } from '../../../db/ids.js';
import { EXPECTED_PRICE, postBooking, type CreateBody } from '../../../api/resources/bookings/create.js';
import { quoteBooking } from '../../../api/resources/bookings/quote.js';
import { createSchema } from '../../../api/resources/bookings/request.js';
import type { ApiContext } from '../../../api/http/context.js';
import { typed } from '../../../api/http/typed.js';
import type { Room } from '../../../db/entities/rooms.js';
import { listGuestNames } from '../../../db/queries/guests/guest.js';
import { findMemberByEmail } from '../../../db/queries/members/member.js';
import { formatHourCredits } from '../../../domain/display.js';
import { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import { offeredExtras, type extraRows } from '../../ui/extras.js';
import { Priced } from '../../ui/priced.js';
import { createFormats } from '../../ui/formats.js';
import { detailsInputs, extrasInput, roomInput, timesInput } from '../bookings/inputs.js';
import { RefundTerms } from '../bookings/refund-terms.js';
import { action, form, type Sent } from '../forms/form.js';
import { fieldAt } from '../forms/fields.js';
import {
  confirmedAmount,
  inputAttributes,
  note,
  Suggestions,
  type Input,
  type Suggestion,
} from '../forms/inputs.js';
import { run } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import type { Confirmation } from '../shared/confirmation.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { PriceLines } from '../shared/price-lines.js';
import type { EnteredTimes } from '../shared/time-fields.js';
import { assertHasTerms, findAccountPayer, Settlement } from './account.js';

/** The fields that decide the price while a booking is entered. */
const PRICED_BY = ['room_id', 'start_at', 'end_at', 'exact_start', 'exact_end', 'email', 'use_tokens'];

export interface Booking {
  room: Room | undefined;
  /** What the form shows; missing when it is submitted. */
  shown?: {
    /** The free times that fill it in. */
    freeTimes: ComponentChildren;
    rooms: Room[];
    room_id: string;
    times: Partial<EnteredTimes>;
    extras: ReturnType<typeof extraRows>;
    seesAll: boolean;
    /** Members and guests to choose the booker from; nobody is suggested to a member. */
    people: Suggestion[];
    price: ComponentChildren;
    /** The choice to pay with hour credits, of a member who has any. */
    credits: ComponentChildren;
    takesCodes: boolean;
    /** The payer with payment terms, for the option to book on account; null if it is not available. */
    account: string | null;
  };
}

/** Derives a UUID from a form's id, so that repeated submissions share it. */
function formUuid(formId: string): string {
  const hex = createHash('sha256').update(formId).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const guestField = (name: 'email' | 'name') =>
  fieldAt({ body: createSchema, isChange: false }, `booked_by.guest.${name}`);

/** Who books: the member with the address, else a guest. Members book for themselves. */
const booker: Input<Booking> = {
  fields: () => ({ email: joi.string().trim().allow(''), name: joi.string().trim().allow('') }),
  read: (name, { email = '', name: called = '' }) => ({ [name]: { guest: { email, name: called } } }),
  Show: ({ shown: { data } }) =>
    data.shown!.seesAll ? (
      <div class="grid">
        <div>
          <TextField
            {...inputAttributes(guestField('email'))}
            name="email"
            required
            label="Guest or member email"
            type="email"
            autocomplete="off"
            list="people"
          />
          <Suggestions id="people" of={data.shown!.people} narrows />
        </div>
        <div>
          <TextField
            {...inputAttributes(guestField('name'))}
            name="name"
            label="Name (new guests)"
            optional={false}
            autocomplete="off"
          />
        </div>
      </div>
    ) : null,
  wide: () => true,
  called: () => ({}),
};

const useTokens: Input<Booking> = {
  fields: (name) => ({ [name]: joi.valid('on') }),
  read: (name, submitted) => (submitted[name] ? { [name]: true } : {}),
  Show: ({ name, shown: { data } }) =>
    data.shown!.seesAll ? (
      <Choice name={name}>Use hour credits first (members only)</Choice>
    ) : (
      <>{data.shown!.credits}</>
    ),
  wide: () => true,
  called: () => ({}),
};

const onAccount: Input<Booking> = {
  fields: (name) => ({ [name]: joi.valid('on') }),
  read: (name, submitted) => (submitted[name] ? { settle: 'on_account' } : {}),
  Show: ({ name, shown: { data } }) =>
    data.shown!.account && (
      <Choice name={name}>On account, on the payment terms of {data.shown!.account}</Choice>
    ),
  wide: () => true,
  called: () => ({}),
};

/** Books a room at the price that was shown. The key of the booking is in its body. */
const book = action({
  capability: 'own_bookings',
  body: typed<CreateBody, joi.ObjectSchema>(createSchema.keys({ [EXPECTED_PRICE]: joi.number() })),
  run: (input, caller, deps) => postBooking.run({ ...input, params: {}, idempotency: null }, caller, deps),
});

export const bookForm = form(
  book,
  {
    room_id: roomInput<Booking>(({ name, shown: { data } }) => {
      const { room, shown } = data;
      return room ? (
        <>
          <h2>{room.name}</h2>
          <input type="hidden" name={name} value={room.id} />
        </>
      ) : (
        <Select
          name={name}
          label="Room to book"
          options={shown!.rooms.map(({ id, name }) => [id, name] as const)}
          chosen={[shown!.room_id]}
        />
      );
    }),
    times: timesInput<Booking>(({ shown }) => ({ of: shown!.times })),
    price: note<Booking>(
      ({ ctx, data: { shown } }) =>
        shown!.seesAll && (
          <Priced at={pathIn(ctx, '/book')} by={PRICED_BY}>
            {shown!.price}
          </Priced>
        ),
    ),
    booked_by: booker,
    ...detailsInputs,
    extras: extrasInput<Booking>(({ shown }) => shown!.extras),
    discount_code: {
      label: 'Discount code',
      autocomplete: 'off',
      when: ({ shown }) => shown!.takesCodes,
    },
    use_tokens: useTokens,
    on_account: onAccount,
    [EXPECTED_PRICE]: confirmedAmount,
  },
  {
    button: 'Review price',
    entry: ({ room }) => (room ? { currency: room.currency, time_zone: room.time_zone } : {}),
    async body(entered, { ctx, deps }) {
      const { form_id } = ctx.state.body as { form_id?: string };
      const { guest } = entered.booked_by as { guest: { email: string; name: string } };
      return {
        ...entered,
        booked_by: await resolveBooker(ctx, deps, guest),
        idempotency_key: form_id ? formUuid(form_id) : newUuid(),
      };
    },
    confirm: confirmation,
    notice: ({ object: { checkout_url } }, { ctx }) => {
      if (!checkout_url) return 'Booking confirmed.';
      return can(ctx.state.membership!.role, 'all_bookings')
        ? 'Slot held. Take the payment on the booking’s page, or send the payer the payment link. They ' +
            'get it by email if it is still unpaid in about a minute.'
        : 'Slot held. Open the payment page from the booking. You also get the link by email in about a ' +
            'minute.';
    },
    to: ({ object: { id } }) => `/bookings/${id}`,
  },
);

/**
 * The booker: the member with the address, else a guest, by default with the name of their latest booking; a
 * person who cannot book for others books as themselves.
 */
async function resolveBooker(
  ctx: ApiContext,
  { db }: ApiDependencies,
  { email, name }: { email: string; name: string },
) {
  const { workspace_id, role, member_id } = ctx.state.membership!;
  if (!can(role, 'all_bookings')) return { member_id };
  if (!email) {
    const message = 'To book, enter the email address of the guest or member.';
    throw new ApiError('validation_failed', message, { param: 'email' });
  }
  const member = await findMemberByEmail(db.manager, workspace_id, email);
  if (member && member.status !== 'archived') return { member_id: member.id };
  if (name) return { guest: { email, name } };
  const [guest] = await listGuestNames(db.manager, workspace_id, { email, limit: 1 });
  if (guest) return { guest };
  throw new ApiError(
    'validation_failed',
    'No member or guest has this email address. To book for a new guest, enter a name as well.',
    { param: 'name' },
  );
}

async function confirmation(
  { body, data, ctx }: Sent<CreateBody, Booking>,
  deps: ApiDependencies,
): Promise<Confirmation> {
  const room = data.room!;
  const { role } = ctx.state.membership!;
  const by_staff = can(role, 'all_bookings');
  const { email = '' } = ctx.state.body as { email?: string };
  const { guest, member_id } = body.booked_by ?? {};
  const payer = member_id ? await findAccountPayer(ctx, deps, member_id, room.currency) : null;
  const { settle } = body;
  if (settle === 'on_account') assertHasTerms(payer);
  const quote = await run(quoteBooking, { body }, { ctx }, deps);
  const formats = createFormats(ctx);
  const amount = (amount_minor: number): string => formats.amount(amount_minor, quote.price.currency);
  if (!quote.available)
    throw new ApiError('slot_unavailable', UNAVAILABLE[quote.reason!], { param: 'start_at' });
  const price = amount(quote.price.amount_minor);
  const booker = guest ? `${guest.name} (guest)` : (payer?.booker ?? 'a member');
  const held = quote.price.amount_minor > 0 && settle !== 'on_account';
  const offered = body.extras?.length ? await offeredExtras(deps.db.manager, room, { by_staff }) : [];
  const asked = offered.filter(({ id }) => body.extras!.some(({ extra_id }) => extra_id === id));
  return {
    title: 'Book this room?',
    at: by_staff ? '/calendar' : '/bookings',
    effects: (
      <>
        <p>
          {room.name},{' '}
          {formats.span({ start_at: body.start_at, end_at: body.end_at!, time_zone: room.time_zone })}, for{' '}
          {booker}
          {payer && payer.name !== payer.booker && `, paid by ${payer.name}`}.
        </p>
        <PriceLines of={quote} amount={amount} />
        <p id="price">
          <strong>{price}</strong>
          {quote.tax_minor > 0 && `, including ${amount(quote.tax_minor)} tax`}
          {quote.discount_percent > 0 && `, with a discount of ${quote.discount_percent}%`}
          {quote.tokens_used > 0 &&
            payer &&
            `, with ${formatHourCredits(quote.tokens_used)} used, ` +
              `${payer.hour_credits - quote.tokens_used} left`}
        </p>
        <RefundTerms
          ctx={ctx}
          terms={{ steps: room.refund_steps, extras: asked }}
          booking={{
            start_at: new Date(body.start_at),
            time_zone: room.time_zone,
            currency: room.currency,
            price_minor: quote.price.amount_minor,
            is_unpaid: settle === 'on_account',
          }}
        />
        <Settlement ctx={ctx} price={quote.price} settle={settle} payer={payer} email={email} />
      </>
    ),
    button: held
      ? `Hold slot for ${price}`
      : settle === 'on_account'
        ? `Book for ${price} on account`
        : 'Book',
    amounts: { [EXPECTED_PRICE]: quote.price.amount_minor },
  };
}

const UNAVAILABLE = {
  booked: 'The room is already booked for part of this time.',
  part_booked: 'A part of the room, or a larger room that includes it, is booked at this time.',
  blackout: 'The room has a blackout during part of this time.',
  closed: 'The room is closed for part of this time.',
};
