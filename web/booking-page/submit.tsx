import { isUuid } from '../../db/ids.js';
import { hasDiscounts } from '../../db/queries/discounts/discount.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { clientAddress } from '../../api/http/client.js';
import type { ApiContext, Problem } from '../../api/http/context.js';
import { asApiError } from '../../api/http/errors.js';
import { EXPECTED_PRICE } from '../../api/resources/bookings/create.js';
import { bookForPublicGuest, findPublicGuestBooking } from '../../api/resources/booking-page/public/book.js';
import { hasHoldLapsed } from '../../domain/bookings/state.js';
import type { ApiError } from '../../domain/errors.js';
import { assertNotFromOtherSite, publicMessage, submitted as submittedIn } from '../ui/browser.js';
import { offeredExtras } from '../ui/extras.js';
import { useWords, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { Contact, FactList } from '../ui/parts.js';
import { payerProblems } from '../ui/payer-problems.js';
import { payerSentence } from '../ui/sentences.js';
import { showDetails } from './details.js';
import {
  canBeBooked,
  choiceIn,
  guestIn,
  peopleIn,
  timeIn,
  type Choice,
  type People,
  type Submitted,
} from './guest-form.js';
import { endAt, offer, offerNext } from './offer.js';
import type { OpenRoom, RoomHandler } from './page.js';
import { UPDATE_PRICE } from './summary.js';

/**
 * `GET /book/:slug/rooms/:room/details`: the exact price of a time and the form to book it. If the form was
 * already sent, shows the outcome of the booking.
 */
export const askDetails =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, open) => {
    const start_at = new Date(String(ctx.query.start ?? ''));
    const minutes = Number(ctx.query.minutes);
    const key = String(ctx.query.key ?? '');
    const chosen = ctx.query as Submitted;
    if (!canBeBooked(start_at, minutes) || !isUuid(key))
      return ctx.redirect(open.to(open.at, peopleIn(chosen)));
    const own = await findPublicGuestBooking(deps, open.page.workspace_id, key);
    if (own) return showBooked(ctx, open, own);
    await askFor(ctx, deps, { open, time: { start_at, minutes }, key, chosen });
  };

/** The form for a time, with the price of what was chosen; other times if it is taken. */
async function askFor(
  ctx: ApiContext,
  deps: ApiDependencies,
  asked: {
    open: OpenRoom;
    time: { start_at: Date; minutes: number };
    key: string;
    chosen: Submitted;
    submitted?: Submitted;
  },
): Promise<void> {
  const { open, time, key, chosen, submitted } = asked;
  const { manager } = deps.db;
  const shown = {
    open,
    minutes: time.minutes,
    key,
    extras: await offeredExtras(manager, open.room, { by_staff: false }),
    takesCodes: await hasDiscounts(manager, open.page.workspace_id),
    people: peopleIn(chosen),
    submitted,
  };
  const { found, refused } = await offer(deps, open.room, time, () => choiceIn(chosen));
  const priceProblems = refused ? problemsFor(ctx, deps, refused) : [];
  if (found) return showDetails(ctx, 200, { ...shown, offered: [found], priceProblems });
  showDetails(ctx, 409, { ...shown, offered: await offerNext(deps, open.room, time), isTaken: true });
}

/** The problems of a form, in words for guests. */
function problemsFor(ctx: ApiContext, { log }: ApiDependencies, error: ApiError): Problem[] {
  const words = wordsIn(ctx);
  if (error.code === 'validation_failed') return payerProblems(words, error);
  // The page itself explains what to do.
  if (error.code === 'proof_required') return [];
  const message = publicMessage(ctx, log, error);
  const field = error.code === 'discount_unavailable' ? 'discount_code' : null;
  return [{ field, message: payerSentence(words, error, message) }];
}

/** Errors about a time that can no longer be booked. */
const isAboutTime = ({ code, context: { param } }: ApiError): boolean =>
  code === 'slot_unavailable' ||
  code === 'slot_misaligned' ||
  (code === 'validation_failed' && (param === 'start_at' || param === 'end_at'));

/**
 * `POST /book/:slug/rooms/:room/details` books like the API if the shown price still holds, and redirects to
 * the hosted page. A form that is sent twice books once. A failure shows the form as it was sent. A booking
 * has its own address, so that the browser's Back and Reload send nothing again.
 */
export const book =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, open) => {
    assertNotFromOtherSite(ctx, deps);
    const { page, room, at, to } = open;
    const form = await submittedIn(ctx);
    const time = timeIn(form);
    const people = peopleIn(form);
    if (!time) {
      ctx.status = 303;
      return ctx.redirect(to(at, people));
    }
    const { key, minutes } = time;
    const findOwn = () => findPublicGuestBooking(deps, page.workspace_id, key);
    if (ctx.query.price === UPDATE_PRICE) {
      const own = await findOwn();
      if (own) return showSentBefore(ctx, open, { own, minutes, key, people });
      return askFor(ctx, deps, { open, time, key, chosen: form, submitted: form });
    }
    let chosen: Choice | undefined;
    try {
      const { attendees, extras, discount_code, ...guest } = guestIn(form, page, wordsIn(ctx).language);
      chosen = { attendees, extras, discount_code };
      const address = clientAddress(ctx);
      const by = { page, room, address, key };
      const end_at = endAt(room, time.start_at, minutes);
      await bookForPublicGuest(deps, by, { ...time, ...chosen, end_at }, guest);
      ctx.status = 303;
      const start = time.start_at.toISOString();
      ctx.redirect(to(`${at}/details`, { ...people, start, minutes, key, go: GO_ON }));
    } catch (error) {
      const known = asApiError(error);
      if (!known) throw error;
      // The time may be taken by the booking that the form made.
      const own = await findOwn();
      if (own || known.code === 'idempotency_conflict')
        return showSentBefore(ctx, open, { own, minutes, key, people });
      const wait = known.context.retry_after_ms;
      if (wait !== undefined) ctx.set('Retry-After', String(Math.ceil(wait / 1_000)));
      const extras = await offeredExtras(deps.db.manager, room, { by_staff: false });
      const { found } = isAboutTime(known)
        ? { found: null }
        : await offer(deps, room, time, () => choiceIn(form));
      const takesCodes = await hasDiscounts(deps.db.manager, page.workspace_id);
      const shown = { open, minutes, key, extras, takesCodes, people, submitted: form };
      const challenge = known.code === 'proof_required' ? known.context.details!.challenge : undefined;
      // The time may be held for this request, whose outcome is not known. The same form continues it.
      if (!found && known.status >= 500) throw error;
      if (!found) {
        const offered = await offerNext(deps, room, time);
        return showDetails(ctx, 409, { ...shown, offered, isTaken: true });
      }
      const problems =
        known.context.param === EXPECTED_PRICE
          ? [
              {
                field: null,
                message: wordsIn(ctx).say(
                  chosen?.discount_code
                    ? 'page.price_with_code'
                    : chosen?.extras?.length
                      ? 'page.price_with_extras'
                      : 'page.price_changed',
                ),
              },
            ]
          : problemsFor(ctx, deps, known);
      showDetails(ctx, known.status, { ...shown, offered: [found], problems, challenge });
    }
  };

/** Set by the redirect after the form was sent. */
const GO_ON = 'pay';

function BookedFacts({ booking }: { booking: BookingRow }) {
  const words = useWords();
  const { price_minor, currency } = booking;
  return (
    <FactList
      of={[
        [words.say('payer.room'), booking.room_name],
        [words.say('payer.time'), words.time(booking)],
        [
          words.say('payer.price'),
          price_minor === 0 ? words.say('terms.free') : words.amount(price_minor, currency),
        ],
      ]}
    />
  );
}

/**
 * The response to a form that was sent before with other details: the booking that it made, and the way to
 * another one. `own`: null if that booking is not made yet. The address of the booking has only the form's
 * key, which the sender has.
 */
function showSentBefore(
  ctx: ApiContext,
  { at, to }: OpenRoom,
  of: { own: BookingRow | null; minutes: number; key: string; people: People },
): void {
  const { own, minutes, key, people } = of;
  const words = wordsIn(ctx);
  const start = own?.start_at.toISOString();
  showPage(ctx, 409, {
    title: words.say('page.sent_before'),
    mark: 'waiting',
    children: (
      <>
        <p role="alert">{words.say('page.sent_before_help')}</p>
        {own && (
          <>
            <BookedFacts booking={own} />
            <a class="button" href={to(`${at}/details`, { ...people, start: start!, minutes, key })}>
              {words.say('payer.view_booking')}
            </a>
          </>
        )}
        <a class="button plain" href={to(at, { ...people, minutes })}>
          {words.say('page.choose_other_time')}
        </a>
      </>
    ),
  });
}

/**
 * The outcome of a booking: continues to the payment while the room is held, or refers to the email of a free
 * booking.
 */
function showBooked(ctx: ApiContext, { workspace, at, to }: OpenRoom, booking: BookingRow): void {
  const words = wordsIn(ctx);
  const facts = <BookedFacts booking={booking} />;
  if (!booking.published_at)
    return showPage(ctx, 200, {
      title: words.say('page.confirm_by_mail'),
      mark: 'waiting',
      children: (
        <>
          <p>
            {words.say('page.link_mailed', {
              email: booking.guest_email!,
              time: words.deadline(booking.confirm_until!, booking),
            })}
          </p>
          {facts}
          <Contact of={workspace} />
        </>
      ),
    });
  const again = (
    <a class="button" href={to(at, peopleIn(ctx.query as Submitted))}>
      {words.say('payer.book_again')}
    </a>
  );
  if (hasHoldLapsed(booking, new Date()))
    return showPage(ctx, 200, {
      title: words.say('payer.hold_expired'),
      mark: 'bad',
      children: (
        <>
          <p>{words.say('payer.hold_ended', { time: words.deadline(booking.expires_at!, booking) })}</p>
          {facts}
          {again}
          <Contact of={workspace} />
        </>
      ),
    });
  if (booking.status === 'pending_payment' && booking.checkout_url)
    // A page instead of a redirect: browsers follow a form's redirect only to origins in the page's policy.
    return showPage(ctx, 200, {
      title: words.say('payer.continue_to_payment'),
      mark: 'waiting',
      // Does not redirect again when the visitor comes back from the payment page.
      goTo: ctx.query.go === GO_ON ? booking.checkout_url : undefined,
      children: (
        <>
          <p>{words.say('payer.held_until', { time: words.deadline(booking.expires_at!, booking) })}</p>
          {facts}
          <a class="button" href={booking.checkout_url}>
            {words.say('payer.continue_to_payment')}
          </a>
        </>
      ),
    });
  const isConfirmed = booking.status === 'confirmed' || booking.status === 'completed';
  showPage(ctx, 200, {
    title: words.say(isConfirmed ? 'payer.confirmed' : 'page.booking_ended'),
    mark: isConfirmed ? 'good' : 'bad',
    children: (
      <>
        <p>{words.say(isConfirmed ? 'page.confirmation_mailed' : 'page.not_paid_or_cancelled')}</p>
        {facts}
        {!isConfirmed && again}
        <Contact of={workspace} />
      </>
    ),
  });
}
