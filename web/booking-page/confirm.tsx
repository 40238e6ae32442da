import { keepProven } from '../../commands/bookings/public-guests.js';
import { findBookingById, type BookingRow } from '../../db/queries/bookings/booking.js';
import { findBookAgain } from '../../db/queries/booking-page/booking-page.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { FIRST_MANAGE_LINK } from '../../db/manage-links.js';
import { isThereForGuest } from '../../domain/bookings/visibility.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { asApiError } from '../../api/http/errors.js';
import { publish } from '../../api/resources/bookings/publish.js';
import { linkLimiter } from '../payer/link-limits.js';
import { publicMessage } from '../ui/browser.js';
import { showAs, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { FactList } from '../ui/parts.js';

/** The booking of the link. Null if a page has already reported that the link has ended. */
async function bookingOfLink(
  ctx: ApiContext,
  deps: ApiDependencies,
  changes: boolean,
): Promise<BookingRow | null> {
  ctx.set('Referrer-Policy', 'no-referrer');
  const id = deps.proofLinks.read(ctx.params.token!);
  const booking = id && (await findBookingById(deps.db.manager, id));
  await linkLimiter(deps)(ctx, id, { changes });
  if (booking) showAs(ctx, (await findWorkspace(deps.db.manager, booking.workspace_id))!, booking.locale);
  if (booking && isThereForGuest(booking, new Date())) return booking;
  await showEnded(ctx, deps, booking || null);
  return null;
}

async function showEnded(
  ctx: ApiContext,
  { db }: ApiDependencies,
  booking: BookingRow | null,
): Promise<void> {
  const again = booking && (await findBookAgain(db.manager, booking.workspace_id));
  showPage(ctx, 404, {
    title: wordsIn(ctx).say('page.link_ended'),
    mark: 'bad',
    children: (
      <>
        <p>{wordsIn(ctx).say('page.not_held')}</p>
        {again && (
          <a class="button" href={again}>
            {wordsIn(ctx).say('payer.book_again')}
          </a>
        )}
      </>
    ),
  });
}

/**
 * Replaces errors meant for clients and staff with a page that tells guests what is known about their booking
 * and what they can do.
 */
export function confirmErrors({ log }: Pick<ApiDependencies, 'log'>): Handler {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const known = asApiError(error);
      if (known && known.status < 500) throw error;
      publicMessage(ctx, log, error);
      ctx.set('Retry-After', '30');
      const isForm = ctx.method === 'POST';
      const words = wordsIn(ctx);
      showPage(ctx, 503, {
        title: words.say(isForm ? 'page.cannot_confirm' : 'page.cannot_show'),
        mark: 'waiting',
        children: (
          <>
            <p role="alert">
              {words.say(isForm ? 'page.our_side_maybe_confirmed' : 'page.our_side_unchanged')}
            </p>
            <p>{words.say('page.link_still_works')}</p>
            {isForm ? (
              <form method="post" action={ctx.path}>
                <button type="submit">{words.say('payer.try_again')}</button>
              </form>
            ) : (
              <a class="button" href={ctx.path}>
                {words.say('payer.try_again')}
              </a>
            )}
          </>
        ),
      });
    }
  };
}

/**
 * Redirects the booker to the booking's page. This link was sent to the same address as the first manage
 * link, so it ends once that link is replaced.
 */
function leadOn(ctx: ApiContext, deps: ApiDependencies, booking: BookingRow): void {
  const link = booking.manage_link_version === FIRST_MANAGE_LINK && deps.manageLinks.linkTo(booking);
  if (!link) return showReplaced(ctx);
  ctx.status = 303;
  ctx.redirect(link);
}

function showReplaced(ctx: ApiContext): void {
  showPage(ctx, 404, {
    title: wordsIn(ctx).say('page.link_ended'),
    mark: 'bad',
    children: <p>{wordsIn(ctx).say('page.link_replaced')}</p>,
  });
}

/**
 * `GET /confirm/:token` asks to confirm a free booking (docs/rules/booking-page.md#free-bookings). It changes
 * nothing, because mail clients open links too.
 */
export const askConfirmation =
  (deps: ApiDependencies): Handler =>
  async (ctx) => {
    const booking = await bookingOfLink(ctx, deps, false);
    if (!booking) return;
    if (booking.published_at) return leadOn(ctx, deps, booking);
    const words = wordsIn(ctx);
    showPage(ctx, 200, {
      title: words.say('page.confirm_title'),
      children: (
        <>
          <FactList
            of={[
              [words.say('payer.room'), booking.room_name],
              [words.say('payer.time'), words.time(booking)],
              [words.say('payer.name'), booking.guest_name ?? ''],
              [words.say('payer.price'), words.say('terms.free')],
            ]}
          />
          <form method="post" action={ctx.path}>
            <button type="submit">{words.say('page.confirm')}</button>
          </form>
        </>
      ),
    });
  };

/**
 * `POST /confirm/:token` confirms it. A repeat redirects to the booking. Errors: 503 `service_unavailable`,
 * as shown by `confirmErrors`.
 */
export const confirm =
  (deps: ApiDependencies): Handler =>
  async (ctx) => {
    const booking = await bookingOfLink(ctx, deps, true);
    if (!booking) return;
    if (booking.published_at) return leadOn(ctx, deps, booking);
    const isKept = await keepProven(deps.db, booking.id);
    const published = isKept ? await publish(deps, booking) : null;
    const confirmed = published ?? (await findBookingById(deps.db.manager, booking.id));
    if (confirmed?.published_at) leadOn(ctx, deps, confirmed);
    else await showEnded(ctx, deps, confirmed);
  };
