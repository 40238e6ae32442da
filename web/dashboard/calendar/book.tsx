import { createHash } from 'node:crypto';
import joi from 'joi';
import { findMemberByEmail } from '../../../db/queries/members/member.js';
import { ownTermsInWords, refundsInWords } from '../../../domain/bookings/refund-words.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import type { PresentedBooking } from '../../../domain/bookings/booking-presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { create } from '../../../api/resources/bookings/create.js';
import { quoteBooking } from '../../../api/resources/bookings/quote.js';
import { createSchema, type QuoteBody } from '../../../api/resources/bookings/shape.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { instantsOf, timeFields, type EnteredTimes } from '../shared/time-fields.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { extraFields, extrasEntered, offeredExtras, type EnteredExtras } from '../../ui/extras.js';
import { formatsOf } from '../../ui/formats.js';
import { PriceLines } from '../shared/price-lines.js';
import { creditsInWords } from '../../../domain/display.js';
import { assertHasTerms, findPayer, Settlement } from './account.js';
import { roomIn } from './room-in.js';
import { detailsForm, type EnteredDetails } from '../bookings/details.js';
import { textFields } from '../shared/declared-fields.js';

export const bookFields = {
  ...hiddenFields,
  form_id: hiddenFields.form_id.required(),
  room_id: text(64).required(),
  ...timeFields,
  ...textFields(createSchema, 'booked_by.guest.email', 'booked_by.guest.name'),
  ...detailsForm.fields,
  ...extraFields,
  discount_code: text(60).trim().allow(''),
  use_tokens: joi.valid('on'),
  on_account: joi.valid('on'),
};

export interface BookForm extends EnteredDetails, EnteredExtras, EnteredTimes {
  form_id: string;
  room_id: string;
  email?: string;
  name?: string;
  discount_code?: string;
  use_tokens?: 'on';
  on_account?: 'on';
}

/** A UUID of a form, the same each time that it is submitted. */
function uuidOf(formId: string): string {
  const hex = createHash('sha256').update(formId).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/**
 * The booker: the member with the address, else a guest; a person who cannot book for
 * others books as themselves.
 */
async function bookerOf(ctx: ApiContext, { db }: ApiDependencies, { email = '', name = '' }: BookForm) {
  const { workspace_id, role, member_id } = ctx.state.membership!;
  if (!can(role, 'all_bookings')) return { member_id };
  if (!email) {
    const message = 'To book, enter the email address of the guest or member.';
    throw new ApiError('validation_failed', message, { param: 'email' });
  }
  const member = await findMemberByEmail(db.manager, workspace_id, email);
  if (member && member.status !== 'archived') return { member_id: member.id };
  if (!name)
    throw new ApiError(
      'validation_failed',
      'No member has this email address. To book for a guest, enter a name as well.',
      {
        param: 'name',
      },
    );
  return { guest: { email, name } };
}

/** Books a room like `POST /v1/bookings`, after a quote. */
export const bookForm = apiForm<BookForm, PresentedBooking>({
  handler: create,
  schema: createSchema,
  async body(form, ctx, deps) {
    const { id, time_zone } = await roomIn(ctx, deps, form.room_id);
    const { start, end } = instantsOf(form, time_zone);
    return {
      room_id: id,
      start_at: start.toISOString(),
      end_at: end.toISOString(),
      booked_by: await bookerOf(ctx, deps, form),
      ...detailsForm.body(form),
      extras: extrasEntered(form),
      ...(form.discount_code && { discount_code: form.discount_code }),
      ...(form.use_tokens && { use_tokens: true }),
      ...(form.on_account && { settle: 'on_account' }),
      idempotency_key: uuidOf(form.form_id),
    };
  },
  async confirm(form, ctx, deps) {
    const { idempotency_key: _, ...body } = ctx.state.body as QuoteBody & { idempotency_key: string };
    const room = await roomIn(ctx, deps, form.room_id);
    const { guest, member_id } = body.booked_by ?? {};
    const payer = member_id ? await findPayer(ctx, deps, member_id, room.currency) : null;
    const { settle } = body;
    if (settle === 'on_account') assertHasTerms(payer);
    const quote = await quoteBooking(deps, ctx.state.principal, body);
    const formats = formatsOf(ctx);
    const amount = (amount_minor: number): string => formats.amount(amount_minor, quote.price.currency);
    if (!quote.available)
      throw new ApiError('slot_unavailable', UNAVAILABLE[quote.reason!], { param: 'start_at' });
    const price = amount(quote.price.amount_minor);
    const booker = guest ? `${guest.name} (guest)` : (payer?.booker ?? 'a member');
    const held = quote.price.amount_minor > 0 && settle !== 'on_account';
    const when = {
      start_at: new Date(body.start_at),
      time_zone: room.time_zone,
      currency: room.currency,
      is_unpaid: settle === 'on_account',
      now: new Date(),
    };
    const by_staff = can(ctx.state.membership!.role, 'all_bookings');
    const offered = body.extras?.length ? await offeredExtras(deps.db.manager, room, { by_staff }) : [];
    const asked = offered.filter(({ id }) => body.extras!.some(({ extra_id }) => extra_id === id));
    const hasTerms = quote.price.amount_minor > 0 && when.start_at > when.now;
    const terms = hasTerms
      ? [...refundsInWords(ENGLISH, room.refund_steps, when), ...ownTermsInWords(ENGLISH, asked, when)]
      : [];
    return {
      title: 'Book this room?',
      at: can(ctx.state.membership!.role, 'all_bookings') ? '/calendar' : '/bookings',
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
            {quote.tax_minor > 0 && `, of which ${amount(quote.tax_minor)} tax`}
            {quote.discount_percent > 0 && `, with a discount of ${quote.discount_percent}%`}
            {quote.tokens_used > 0 &&
              payer &&
              `, with ${creditsInWords(quote.tokens_used)} used, ` +
                `${payer.hour_credits - quote.tokens_used} left`}
          </p>
          {terms.length > 0 && <p class="soft">{terms.join(' ')}</p>}
          <Settlement ctx={ctx} price={quote.price} settle={settle} payer={payer} email={form.email ?? ''} />
        </>
      ),
      button: held
        ? `Hold slot for ${price}`
        : settle === 'on_account'
          ? `Book for ${price} on account`
          : 'Book',
    };
  },
  notice: ({ checkout_url }, ctx) => {
    if (!checkout_url) return 'Booking confirmed.';
    return can(ctx.state.membership!.role, 'all_bookings')
      ? 'Slot held. The booking has “Take payment” and the link for the payer, who also gets it by email ' +
          'if it is still unpaid in about a minute.'
      : 'Slot held. The booking leads to the payment page; you also get the link by email in about a minute.';
  },
  to: (_ctx, { id }) => `/bookings/${id}`,
});

const UNAVAILABLE = {
  booked: 'The room is already booked for part of this time.',
  part_booked: 'A part of the room, or a larger room that includes it, is booked at this time.',
  blackout: 'The room has a blackout during part of this time.',
  closed: 'The room is closed for part of this time.',
};
