import { hasDiscounts } from '../../db/queries/rooms/discount.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { clientAddress } from '../../api/http/client.js';
import type { ApiContext, Problem } from '../../api/http/context.js';
import { asApiError } from '../../api/http/errors.js';
import { isUuid } from '../../api/http/fields.js';
import { EXPECTED_PRICE } from '../../api/resources/bookings/create.js';
import { bookForStranger, type WantedTime } from '../../api/resources/public-booking/book.js';
import type { ApiError } from '../../domain/errors.js';
import { problemsIn } from '../dashboard/shared/rejection.js';
import { assertNotFromOtherSite, publicMessage, submitted as submittedIn } from '../ui/browser.js';
import { offeredExtras } from '../ui/extras.js';
import { showPage } from '../ui/layout.js';
import { amountOf, Contact, endOf, Facts, timeOf } from '../ui/parts.js';
import { sentenceOf } from '../ui/sentences.js';
import { offer, offerNext, showDetails } from './details.js';
import { canBeBooked, guestIn, timeIn } from './guest-form.js';
import type { OpenPage, RoomHandler } from './page.js';

/** `GET /book/:slug/rooms/:room/details`: the exact price of a time, and the form to book it. */
export const askDetails =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, open) => {
    const start_at = new Date(String(ctx.query.start ?? ''));
    const minutes = Number(ctx.query.minutes);
    const key = String(ctx.query.key ?? '');
    if (!canBeBooked(start_at, minutes) || !isUuid(key)) return ctx.redirect(open.at);
    const extras = await offeredExtras(deps.db.manager, open.room, { by_staff: false });
    const found = await offer(deps, open.room, { start_at, minutes });
    const takesCodes = await hasDiscounts(deps.db.manager, open.page.workspace_id);
    const shown = { open, minutes, key, extras, takesCodes };
    if (found) return showDetails(ctx, 200, { ...shown, offered: [found] });
    const offered = await offerNext(deps, open.room, { start_at, minutes });
    showDetails(ctx, 409, { ...shown, offered, isTaken: true });
  };

/** What is wrong with a form, for the stranger who has sent it. */
function problemsFor(ctx: ApiContext, { log }: ApiDependencies, error: ApiError): Problem[] {
  if (error.code === 'validation_failed')
    return problemsIn(error).map((problem) => {
      if (problem.field?.startsWith('answer_')) return { ...problem, message: 'Answer this question.' };
      if (problem.field === 'terms_version') return { ...problem, message: 'Accept the terms to book.' };
      return problem;
    });
  // The page says what to do about it.
  if (error.code === 'proof_required') return [];
  if (error.code === 'idempotency_conflict')
    return [
      {
        field: null,
        message:
          'You have sent this form before with other details, and that booking is held for you. To make another one, choose a time again.',
      },
    ];
  const message = publicMessage(ctx, log, error);
  const field = error.code === 'discount_unavailable' ? 'discount_code' : null;
  return [{ field, message: sentenceOf(error, 'payer') ?? message }];
}

/** Errors about a time that can no longer be booked. */
const isAboutTime = ({ code, context: { param } }: ApiError): boolean =>
  code === 'slot_unavailable' ||
  code === 'slot_misaligned' ||
  (code === 'validation_failed' && (param === 'start_at' || param === 'end_at'));

/**
 * `POST /book/:slug/rooms/:room/details` books like the API, if the price is the one that was shown, and leads to the hosted
 * page. A form that is sent twice books once. What cannot be booked is shown with the form as it was sent.
 */
export const book =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, open) => {
    assertNotFromOtherSite(ctx, deps);
    const { page, room, at } = open;
    const form = await submittedIn(ctx);
    const time = timeIn(form);
    if (!time) {
      ctx.status = 303;
      return ctx.redirect(at);
    }
    const { key, minutes } = time;
    let chosen: Pick<WantedTime, 'attendees' | 'extras' | 'discount_code'> | undefined;
    try {
      const { attendees, extras, discount_code, ...guest } = guestIn(form, page);
      chosen = { attendees, extras, discount_code };
      const address = clientAddress(ctx);
      const by = { page, room, address, key };
      const { booking } = await bookForStranger(deps, by, { ...time, ...chosen }, guest);
      showBooked(ctx, open, booking);
    } catch (error) {
      const known = asApiError(error);
      if (!known) throw error;
      const wait = known.context.retry_after_ms;
      if (wait !== undefined) ctx.set('Retry-After', String(Math.ceil(wait / 1_000)));
      const extras = await offeredExtras(deps.db.manager, room, { by_staff: false });
      // Where something is wrong with what was chosen, the price is that of the time alone.
      const found = isAboutTime(known)
        ? null
        : ((chosen && (await offer(deps, room, { ...time, ...chosen }))) ??
          (chosen && (await offer(deps, room, { ...time, ...chosen, discount_code: undefined }))) ??
          (await offer(deps, room, time)));
      const takesCodes = await hasDiscounts(deps.db.manager, page.workspace_id);
      const shown = { open, minutes, key, extras, takesCodes, submitted: form };
      const challenge = known.code === 'proof_required' ? known.context.details!.challenge : undefined;
      if (!found) {
        const offered = await offerNext(deps, room, time);
        return showDetails(ctx, 409, { ...shown, offered, isTaken: true });
      }
      const problems =
        known.context.param === EXPECTED_PRICE
          ? [
              {
                field: null,
                message: chosen?.discount_code
                  ? 'This is the price with your code. Nothing is booked yet.'
                  : chosen?.extras?.length
                    ? 'This is the price with your extras. Nothing is booked yet.'
                    : 'The price has changed since you opened this page. Nothing is booked yet.',
              },
            ]
          : problemsFor(ctx, deps, known);
      showDetails(ctx, known.status, { ...shown, offered: [found], problems, challenge });
    }
  };

/** What became of a booking: on to the payment, or to the mail of a free one. */
function showBooked(
  ctx: ApiContext,
  { workspace, at }: OpenPage & { at: string },
  booking: BookingRow,
): void {
  const facts = (
    <Facts
      of={[
        ['Room', booking.room_name],
        ['Time', timeOf(booking)],
        ['Price', booking.price_minor === 0 ? 'Free' : amountOf(booking.price_minor, booking.currency)],
      ]}
    />
  );
  if (!booking.published_at)
    return showPage(ctx, 200, {
      title: 'Confirm your booking by email',
      mark: 'waiting',
      children: (
        <>
          <p>
            We’ve emailed a link to {booking.guest_email}. Open it by {endOf(booking.confirm_until!, booking)}{' '}
            to confirm your booking; after that the room is free again. An address has two such links at a
            time at most.
          </p>
          {facts}
          <Contact of={workspace} />
        </>
      ),
    });
  if (booking.status === 'pending_payment' && booking.checkout_url)
    // A page and not a redirect: browsers follow a form's redirect only to the origins that the policy names.
    return showPage(ctx, 200, {
      title: 'Continue to payment',
      mark: 'waiting',
      goTo: booking.checkout_url,
      children: (
        <>
          <p>The room is held for you until {endOf(booking.expires_at!, booking)}.</p>
          {facts}
          <a class="button" href={booking.checkout_url}>
            Continue to payment
          </a>
        </>
      ),
    });
  const isConfirmed = booking.status === 'confirmed' || booking.status === 'completed';
  showPage(ctx, 200, {
    title: isConfirmed ? 'Your booking is confirmed' : 'This booking has ended',
    mark: isConfirmed ? 'good' : 'bad',
    children: (
      <>
        <p>
          {isConfirmed
            ? 'We’ve emailed you the confirmation, with a link to your booking.'
            : 'It was not paid in time, or was cancelled.'}
        </p>
        {facts}
        {!isConfirmed && (
          <a class="button" href={at}>
            Book again
          </a>
        )}
        <Contact of={workspace} />
      </>
    ),
  });
}
