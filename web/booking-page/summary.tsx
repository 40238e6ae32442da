import { factsOfPrice, formatOnlyLine } from '../../domain/rates/price-words.js';
import type { Problem } from '../../api/http/context.js';
import type { OfferedExtra } from '../ui/extras.js';
import { useWords } from '../ui/language.js';
import { FactList, RefundTerms } from '../ui/parts.js';
import { Priced } from '../ui/priced.js';
import { PRICED_BY, slotValue, type People, type Submitted } from './guest-form.js';
import type { Offered, Quote } from './offer.js';
import type { OpenRoom } from './page.js';

export interface DetailsProps {
  open: OpenRoom;
  minutes: number;
  key: string;
  /** One time with its price, or alternatives if it is taken. */
  offered: Offered[];
  extras: OfferedExtra[];
  takesCodes: boolean;
  /** The number of people that was chosen, before the time or in the form. */
  people: People;
  submitted?: Submitted;
  problems?: Problem[];
  /** Why the price leaves out something that was chosen. */
  priceProblems?: Problem[];
  isTaken?: boolean;
  /** An ALTCHA challenge that the browser solves before it sends the form again. */
  challenge?: unknown;
}

/** The lines of a price and their sum; only the sum if there is one line. */
function Price({ quote }: { quote: Quote }) {
  const { price, lines, tax_minor } = quote;
  const words = useWords();
  const amount = (minor: number): string => words.amount(minor, price.currency);
  if (price.amount_minor === 0)
    return <FactList of={[[words.say('payer.price'), words.say('terms.free')]]} />;
  return (
    <div class="amounts">
      <FactList
        of={[
          ...(lines.length > 1
            ? factsOfPrice(words, quote, amount)
            : [
                ...lines.map((line) => formatOnlyLine(words, line, amount)),
                ...(tax_minor > 0 ? ([[words.say('terms.tax'), amount(tax_minor)]] as const) : []),
              ]),
          [words.say('terms.total'), amount(price.amount_minor)],
        ]}
      />
    </div>
  );
}

/** The button shows the price, unless it depends on the chosen time. */
function BookButton({ offered, isTaken }: { offered: Offered[]; isTaken: boolean }) {
  const words = useWords();
  const [first] = offered;
  const { amount_minor, currency } = first!.quote.price;
  const totals = new Set(offered.map(({ quote: { price } }) => price.amount_minor));
  const label =
    totals.size > 1
      ? words.say('page.book_and_pay')
      : amount_minor === 0
        ? words.say('page.book')
        : words.say('page.book_and_pay_amount', { amount: words.amount(amount_minor, currency) });
  return (
    <>
      {!isTaken && <input type="hidden" name="slot" value={slotValue(first!.start, amount_minor)} />}
      <button type="submit">{label}</button>
    </>
  );
}

/** Set by *Update price*, which shows the form again with the new price. */
export const UPDATE_PRICE = 'update';

/**
 * The chosen room and time with the price and the submit button, next to the form. When a choice changes, a
 * script requests `address` again to update the price; without scripts a button does.
 */
export function Summary(props: DetailsProps & { address: string }) {
  const { open, minutes, offered, isTaken = false, extras, takesCodes, priceProblems = [], address } = props;
  const { room, page } = open;
  const words = useWords();
  const [first] = offered;
  const { price } = first!.quote;
  const isFree = price.amount_minor === 0;
  const shown = {
    start_at: first!.start,
    end_at: first!.end,
    time_zone: room.time_zone,
    currency: price.currency,
  };
  const priced = { at: address, by: PRICED_BY };
  const length = words.length(Math.ceil(page.guest_hold_seconds / 60));
  return (
    <section class="summary card" aria-label={words.say('page.your_booking')}>
      <h2>
        <bdi>{room.name}</bdi>
      </h2>
      {!isTaken && (
        <>
          <p>
            {words.time(shown)}
            <br />
            {words.length(minutes)}
          </p>
          <Priced {...priced} isSpoken>
            {priceProblems.map(({ message }) => (
              <p key={message} class="alert">
                {message}
              </p>
            ))}
            <Price quote={first!.quote} />
          </Priced>
        </>
      )}
      {(extras.length > 0 || takesCodes) && !isTaken && (
        <button
          class="quiet"
          formAction={`${address}&price=${UPDATE_PRICE}`}
          formNoValidate
          data-updates-price
          formTarget="_self"
        >
          {words.say('page.update_price')}
        </button>
      )}
      <Priced {...priced}>
        <BookButton offered={offered} isTaken={isTaken} />
      </Priced>
      <p class="hint">{words.say(isFree ? 'page.held_by_mail' : 'page.held_for_payment', { length })}</p>
      {!isFree && !isTaken && <RefundTerms steps={room.refund_steps} booking={shown} extras={extras} />}
    </section>
  );
}
