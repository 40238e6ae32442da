import { previewChange, type ChangePreview } from '../../../commands/bookings/change/plan.js';
import { findPayerBooking } from '../../../db/queries/bookings/payer-booking.js';
import { whyNotChange, type ChangeRequest } from '../../../domain/bookings/change.js';
import { ApiError, refusalError } from '../../../domain/errors.js';
import { formatExtras, sameExtras, type ExtraRequest } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { ENGLISH, type Words } from '../../../domain/words/words.js';
import { extras as extrasSchema } from '../../../api/resources/bookings/booking.js';
import { findPayableChange, type PayableChange } from '../../../api/resources/bookings/pending-change.js';
import { requestChange } from '../../../api/resources/bookings/update.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { object } from '../../../api/http/typed.js';
import { validate } from '../../../api/http/validate.js';
import {
  extraFields,
  ExtraInputs,
  extraRows,
  extrasEntered,
  extrasKept,
  offeredExtras,
  type EnteredExtras,
} from '../../ui/extras.js';
import { wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { FactList } from '../../ui/parts.js';
import type { Managed } from './access.js';
import { shownMinor } from './cancel.js';
import { goToPayment, refusalIn } from './make-move.js';
import { describeChangePreview } from './move-confirmation.js';
import { showProblem } from './problems.js';

/** The extras that the booking is to have, and the price difference that was shown. */
export const extrasFields = { ...extraFields, difference_minor: shownMinor };

const entered = object({ extras: extrasSchema }, 'extras').required();

/** The body of the change. As for a move, a higher price is paid on the hosted page. */
const toExtrasRequest = (extras: ExtraRequest[]): ChangeRequest => ({ extras, pay_by_link: true });

/** The extras that a payer can choose, and those that staff booked, which stay and cannot be changed. */
const rowsFor = async ({ db }: ApiDependencies, words: Words, { booking }: Managed) => {
  const { room, currency } = booking;
  const payer = { by_staff: false };
  const offered = await offeredExtras(db.manager, { ...room, currency }, payer);
  return extraRows(words, offered, {
    booked: booking,
    kept: await extrasKept(db.manager, booking, payer),
    amount: (minor, of) => words.amount(minor, of),
  });
};

/** Whether a payer has extras to choose from. */
export const hasExtras = async (deps: ApiDependencies, managed: Managed): Promise<boolean> =>
  (await rowsFor(deps, ENGLISH, managed)).some(({ isKept }) => !isKept);

/** `GET /manage/:token/extras`: the extras of the booking's room, with what is booked. */
export const showExtras =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    const refusal = whyNotChange(booking, booking.room, Date.now(), { moves: true });
    if (refusal) return showProblem(ctx, refusalError(refusal), managed, path);
    const words = wordsIn(ctx);
    const rows = await rowsFor(deps, words, managed);
    showPage(ctx, 200, {
      title: words.say('payer.extras_title'),
      children: (
        <>
          <p>{`${booking.room_name}, ${words.time(booking)}`}</p>
          <form method="post" action={`${path}/extras`}>
            <ExtraInputs rows={rows} />
            <button type="submit">{words.say('payer.review_price')}</button>
          </form>
          <a class="button plain" href={path}>
            {words.say('payer.back_to_booking')}
          </a>
        </>
      ),
    });
  };

/** Whether the pending change is the one to these extras, because the form was sent twice. */
const isTo = ({ plan }: PayableChange, extras: ExtraRequest[]): boolean =>
  sameExtras(extrasIn({ pricing: plan.move?.pricing ?? null }), extras);

/**
 * `POST /manage/:token/extras` changes the extras like the API, if the difference is still the one that was
 * shown; otherwise it shows the new one first. Redirects to the hosted page if the new price is higher.
 */
export const changeExtras =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    const form = ctx.state.body as EnteredExtras & { difference_minor: number | null };
    const back = `${path}/extras`;
    try {
      const { extras } = validate(entered, { extras: extrasEntered(form) }, false);
      if (sameExtras(extras, extrasIn(booking))) {
        ctx.status = 303;
        return ctx.redirect(path);
      }
      const { difference_minor: shown } = form;
      if (shown === null) return await ask(ctx, deps, managed, extras);
      const request = { ...toExtrasRequest(extras), expected_difference_minor: shown };
      const by = { guest: booking.id };
      try {
        const { pending } = await requestChange(deps, by, booking, { request, on_authentication: 'link' });
        if (pending) return goToPayment(ctx, pending.checkout_url, path);
      } catch (error) {
        const { code, reason } = refusalIn(error);
        const now = await findPayerBooking(deps.db.manager, booking.id);
        // The form was sent twice, and the other request was faster.
        if (now && sameExtras(extras, extrasIn(now))) {
          ctx.status = 303;
          return ctx.redirect(`${path}?done=extras`);
        }
        if (reason === 'difference_changed') return await ask(ctx, deps, managed, extras, true);
        const waiting = code === 'change_pending' ? await findPayableChange(deps, booking.id) : null;
        if (waiting && isTo(waiting, extras)) return goToPayment(ctx, waiting.checkout_url, path);
        throw error;
      }
      ctx.status = 303;
      ctx.redirect(`${path}?done=extras`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showProblem(ctx, error, managed, back);
    }
  };

/** Shows what a change of the extras costs now, and the button that makes it. */
async function ask(
  ctx: ApiContext,
  deps: ApiDependencies,
  managed: Managed,
  extras: ExtraRequest[],
  again = false,
): Promise<void> {
  const { booking, path } = managed;
  const { workspace_id, id: booking_id, currency } = booking;
  const preview: ChangePreview = await previewChange(deps.db, {
    workspace_id,
    booking_id,
    request: toExtrasRequest(extras),
  });
  const { charge_minor, refund_minor, price_minor, plan } = preview;
  const words = wordsIn(ctx);
  const amount = (minor: number): string => words.amount(minor, currency);
  const after = extrasIn({ pricing: plan.move?.pricing ?? null });
  showPage(ctx, again ? 409 : 200, {
    title: words.say('payer.extras_ask'),
    children: (
      <>
        {again && <p role="alert">{words.say('payer.price_changed_not_changed')}</p>}
        <FactList
          of={[
            [words.say('payer.current'), formatExtras(extrasIn(booking)) || words.say('payer.no_extras')],
            [words.say('payer.new'), formatExtras(after) || words.say('payer.no_extras')],
            [
              words.say('payer.price'),
              price_minor === booking.price_minor
                ? words.say('payer.price_unchanged', { amount: amount(price_minor) })
                : `${amount(booking.price_minor)} → ${amount(price_minor)}`,
            ],
          ]}
        />
        <p id="difference">{describeChangePreview(words, preview, managed).join(' ')}</p>
        <form method="post" action={`${path}/extras`}>
          {extras.map(({ extra_id, quantity }) => (
            <div key={extra_id} hidden>
              <input type="hidden" name="extra_id" value={extra_id} />
              <input type="hidden" name="extra_quantity" value={quantity} />
            </div>
          ))}
          <input type="hidden" name="difference_minor" value={charge_minor - refund_minor} />
          <button type="submit">
            {charge_minor > 0
              ? words.say('payer.change_and_pay', { amount: amount(charge_minor) })
              : refund_minor > 0
                ? words.say('payer.change_and_refund', { amount: amount(refund_minor) })
                : words.say('payer.change_extras')}
          </button>
        </form>
        <a class="button plain" href={`${path}/extras`}>
          {words.say('payer.other_extras')}
        </a>
      </>
    ),
  });
}
