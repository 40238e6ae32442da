import { readFileSync } from 'node:fs';
import type { Room } from '../../db/entities/rooms.js';
import type { Extra } from '../../db/entities/extras.js';
import type { ExtraRequest } from '../../domain/extras.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { factsOfPrice, lineInWords } from '../../domain/price-words.js';
import { answerField, MAX_ANSWER, type Question } from '../../domain/booking-page.js';
import { freeStartsBetween, lengthInWords } from '../../api/resources/bookings/free-times.js';
import { quoteForStranger } from '../../api/resources/public-booking/book.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Problem } from '../../api/http/context.js';
import { asApiError } from '../../api/http/errors.js';
import { Choice, Select, TextField } from '../dashboard/shared/fields.js';
import { FormRejectionContext } from '../dashboard/shared/form.js';
import { ExtraInputs, extraRows, submittedExtras } from '../ui/extras.js';
import { Form } from '../ui/forms.js';
import { showPage } from '../ui/layout.js';
import { amountOf, Facts, timeOf } from '../ui/parts.js';
import { slotValue, type Submitted } from './guest-form.js';
import type { OpenPage } from './page.js';

const OFFERED = 6;
const OFFERED_DAYS = 14;

type Quote = Awaited<ReturnType<typeof quoteForStranger>>;

/** A time with its price. */
export interface Offered {
  start: Date;
  end: Date;
  quote: Quote;
}

/** A time that is asked for, and what is chosen for it. */
interface WithExtras {
  start_at: Date;
  minutes: number;
  attendees?: number;
  extras?: ExtraRequest[];
  /** As they entered it. */
  discount_code?: string;
}

/** A time with its price now; null if it cannot be booked. Throws what is not about the time. */
export async function offer(
  deps: ApiDependencies,
  room: Room,
  { start_at, minutes, attendees = 1, extras, discount_code }: WithExtras,
): Promise<Offered | null> {
  try {
    const quote = await quoteForStranger(deps, room, { start_at, minutes, attendees, extras, discount_code });
    return quote.available
      ? { start: start_at, end: new Date(start_at.getTime() + minutes * MINUTE_MS), quote }
      : null;
  } catch (error) {
    const status = asApiError(error)?.status ?? 500;
    if (status === 409 || status === 422) return null;
    throw error;
  }
}

/** The next free times of a length from one that is taken, with their prices. */
export async function offerNext(
  deps: ApiDependencies,
  room: Room,
  { start_at, minutes }: WithExtras,
): Promise<Offered[]> {
  const from = Math.max(start_at.getTime(), Date.now());
  const until = from + OFFERED_DAYS * DAY_MS;
  const starts = await freeStartsBetween(deps, room, { from, until, minutes, limit: OFFERED });
  const offered: Offered[] = [];
  for (const start of starts) {
    const each = await offer(deps, room, { start_at: start, minutes });
    if (each) offered.push(each);
  }
  return offered;
}

/** The lines of a price and their sum, as far as that says more than the sum. */
function Price({ quote }: { quote: Quote }) {
  const { price, lines, tax_minor } = quote;
  const amount = (minor: number): string => amountOf(minor, price.currency);
  if (price.amount_minor === 0) return <Facts of={[['Price', 'Free']]} />;
  return (
    <div class="amounts">
      <Facts
        of={[
          ...(lines.length > 1
            ? factsOfPrice(quote, amount)
            : [
                ...lines.map((line) => lineInWords(line, amount)),
                ...(tax_minor > 0 ? ([['Tax', amount(tax_minor)]] as const) : []),
              ]),
          ['Total', amount(price.amount_minor)],
        ]}
      />
    </div>
  );
}

function QuestionField({ question: { id, label, kind, required, choices } }: { question: Question }) {
  const name = answerField(id);
  const marked = required ? label : `${label} (optional)`;
  if (kind === 'check')
    return (
      <Choice name={name} required={required}>
        {marked}
      </Choice>
    );
  if (kind === 'choice') {
    const options = choices.map((choice) => [choice, choice] as const);
    return (
      <Select
        name={name}
        label={marked}
        optional={!required}
        options={[['', 'Choose…'], ...options]}
        chosen={['']}
      />
    );
  }
  return <TextField name={name} label={marked} required={required} maxLength={MAX_ANSWER} />;
}

type Extras = ReturnType<typeof extraRows>;

/** The fields about whom the booking is for. */
function GuestFields(props: {
  open: OpenPage;
  room: Room;
  extras: Extras;
  takesCodes: boolean;
  submitted: Submitted;
}) {
  const { open, room, extras, takesCodes, submitted } = props;
  const { page } = open;
  return (
    <>
      <TextField name="name" label="Your name" required maxLength={200} autocomplete="name" />
      <TextField
        name="email"
        label="Email address"
        type="email"
        required
        maxLength={254}
        autocomplete="email"
      />
      <TextField
        name="attendees"
        label="Number of people"
        type="number"
        inputMode="numeric"
        min={1}
        max={room.capacity ?? 100_000}
        required
        value="1"
      />
      <ExtraInputs rows={extras} />
      {page.questions.map((question) => (
        <QuestionField key={question.id} question={question} />
      ))}
      <details>
        <summary>Book for a company</summary>
        <TextField name="company" label="Company" maxLength={200} autocomplete="organization" />
        <TextField name="vat_number" label="VAT number" maxLength={50} />
        <TextField name="order_reference" label="Your order reference" maxLength={50} />
      </details>
      {takesCodes && (
        <details open={Boolean(submitted.discount_code)}>
          <summary>Use a discount code</summary>
          <TextField name="discount_code" label="Discount code" maxLength={60} autocomplete="off" />
          <p class="hint">You see the price with it before you pay.</p>
        </details>
      )}
      {page.terms && (
        <Choice name="terms_version" value={page.terms.version} required>
          I accept the{' '}
          <a href={page.terms.url} target="_blank" rel="noreferrer">
            terms
          </a>
          .
        </Choice>
      )}
    </>
  );
}

/** The times to choose from in place of the one that is taken. */
function Slots({ offered, zone }: { offered: Offered[]; zone: string }) {
  return (
    <fieldset class="slots">
      <legend>Choose another time</legend>
      {offered.map(({ start, end, quote: { price } }, n) => (
        <label key={n} class="choice">
          <input
            type="radio"
            name="slot"
            value={slotValue(start, price.amount_minor)}
            checked={n === 0}
            required
          />{' '}
          {timeOf({ start_at: start, end_at: end, time_zone: zone, currency: price.currency })},{' '}
          {price.amount_minor === 0 ? 'free' : amountOf(price.amount_minor, price.currency)}
        </label>
      ))}
    </fieldset>
  );
}

/** What the page with the details is shown for. */
export interface DetailsProps {
  open: OpenPage & { room: Room; at: string };
  minutes: number;
  key: string;
  /** One time with its price, or those to choose from in place of the one that is taken. */
  offered: Offered[];
  /** The extras to choose from. */
  extras: Extra[];
  /** The workspace has discount codes. */
  takesCodes: boolean;
  /** The form as it was submitted, and what is wrong with it. */
  submitted?: Submitted;
  problems?: Problem[];
  isTaken?: boolean;
  /** A challenge that the browser answers before it sends the form again. */
  challenge?: unknown;
}

const PROOF = readFileSync(new URL('./proof.js', import.meta.url), 'utf8');

/** What happens while a browser answers a challenge, and what people can do whose browser does not. Its script swaps them. */
const Checking = ({ name }: { name: string }) => (
  <>
    <p role="status" id="checking" hidden>
      Several rooms were held from your connection within 10 minutes, so your browser is solving a puzzle
      first. That takes a few seconds; then your booking goes on by itself.
    </p>
    <p role="alert" id="unchecked">
      Several rooms were held from your connection within 10 minutes, and the check that people make these
      holds needs scripts, which your browser does not run here. Press the button below again in 10 minutes,
      or ask {name} to book for you. Nothing is booked yet, and what you entered is still here.
    </p>
  </>
);

/** The button says what it costs, unless that depends on the time that is chosen. */
function buttonOf(offered: Offered[]): string {
  const totals = new Set(offered.map(({ quote: { price } }) => price.amount_minor));
  const { price } = offered[0]!.quote;
  if (totals.size > 1) return 'Book and pay';
  return price.amount_minor === 0 ? 'Book' : `Book and pay ${amountOf(price.amount_minor, price.currency)}`;
}

/** Shows the form with the details and the exact price. */
export function showDetails(ctx: ApiContext, status: number, props: DetailsProps): void {
  const { open, minutes, key, offered, submitted = {}, problems = [], isTaken = false, challenge } = props;
  const { room, at, page, workspace } = open;
  const { time_zone } = room;
  const [first] = offered;
  const action = `${at}/details`;
  const shown = first && {
    start_at: first.start,
    end_at: first.end,
    time_zone,
    currency: first.quote.price.currency,
  };
  const isFree = first?.quote.price.amount_minor === 0;
  showPage(ctx, status, {
    title: isTaken ? 'This time has just been taken' : 'Your details',
    mark: isTaken ? 'waiting' : undefined,
    script: challenge ? PROOF : undefined,
    children: (
      <>
        {challenge !== undefined && <Checking name={workspace.name} />}
        {problems.map(({ message }) => (
          <p key={message} role="alert">
            {message}
          </p>
        ))}
        {isTaken && (
          <p role="alert">
            {first
              ? 'Nothing has been booked or charged. These times are free, and what you entered is still here.'
              : `Nothing has been booked or charged, and nothing of this length is free in the next ${OFFERED_DAYS} days.`}
          </p>
        )}
        {shown && !isTaken && (
          <>
            <Facts
              of={[
                ['Room', room.name],
                ['Time', timeOf(shown)],
                ['Length', lengthInWords(minutes)],
              ]}
            />
            <h2>Price</h2>
            <Price quote={first.quote} />
          </>
        )}
        {first && (
          // The processor's page, to which this leads, is not shown in frames.
          <Form action={action} target={page.embed_origins.length > 0 ? '_top' : undefined}>
            <FormRejectionContext.Provider
              value={Object.keys(submitted).length > 0 ? { action, submitted, problems } : null}
            >
              {isTaken ? (
                <Slots offered={offered} zone={time_zone} />
              ) : (
                <input
                  type="hidden"
                  name="slot"
                  value={slotValue(first.start, first.quote.price.amount_minor)}
                />
              )}
              <input type="hidden" name="minutes" value={minutes} />
              <input type="hidden" name="key" value={key} />
              {challenge !== undefined && (
                <input type="hidden" name="proof" data-challenge={JSON.stringify(challenge)} />
              )}
              <GuestFields
                open={open}
                room={room}
                takesCodes={props.takesCodes}
                submitted={submitted}
                extras={extraRows(props.extras, {
                  submitted: Object.keys(submitted).length > 0 ? submittedExtras(submitted) : undefined,
                  amount: amountOf,
                })}
              />
            </FormRejectionContext.Provider>
            <p>
              {isFree
                ? `The room is held for ${lengthInWords(Math.ceil(page.guest_hold_seconds / 60))}. We email you a link to confirm the booking.`
                : `The room is held for ${lengthInWords(Math.ceil(page.guest_hold_seconds / 60))} while you pay on the next page.`}
            </p>
            <button type="submit">{buttonOf(offered)}</button>
          </Form>
        )}
        <a class="button plain" href={`${at}?minutes=${minutes}`}>
          Choose another time
        </a>
      </>
    ),
  });
}
