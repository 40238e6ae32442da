import { readFileSync } from 'node:fs';
import type { Room } from '../../db/entities/rooms.js';
import type { Extra } from '../../db/entities/extras.js';
import type { ExtraRequest } from '../../domain/extras/extras.js';
import { DAY_MS } from '../../domain/durations.js';
import { addLength } from '../../domain/rooms/grid.js';
import { factsOfPrice, formatOnlyLine } from '../../domain/rates/price-words.js';
import { answerField, MAX_ANSWER, termsPath, type Question } from '../../domain/booking-page/booking-page.js';
import { freeStartsBetween } from '../../api/resources/bookings/free-times.js';
import { quoteForPublicGuest } from '../../api/resources/booking-page/public/book.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Problem } from '../../api/http/context.js';
import { asApiError } from '../../api/http/errors.js';
import { Choice, Select, TextField } from '../dashboard/shared/fields.js';
import { FormRejectionContext } from '../dashboard/shared/form.js';
import { ExtraInputs, extraRows, submittedExtras } from '../ui/extras.js';
import { Form } from '../ui/forms.js';
import { useWords, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import type { Words } from '../../domain/words/words.js';
import { FactList, RefundTerms } from '../ui/parts.js';
import { slotValue, type Submitted } from './guest-form.js';
import type { OpenPage, OpenRoom } from './page.js';

const OFFERED = 6;
const OFFERED_DAYS = 14;

type Quote = Awaited<ReturnType<typeof quoteForPublicGuest>>;

export interface Offered {
  start: Date;
  end: Date;
  quote: Quote;
}

/** A requested time, with its length as forms count it, and the chosen extras. */
interface WithExtras {
  start_at: Date;
  minutes: number;
  attendees?: number;
  extras?: ExtraRequest[];
  discount_code?: string;
}

export const endAt = (room: Room, start: Date, minutes: number): Date =>
  new Date(addLength(start.getTime(), minutes, room));

/**
 * A time with its current price; null if it cannot be booked. Rethrows errors that are not about the time.
 */
export async function offer(
  deps: ApiDependencies,
  room: Room,
  { start_at, minutes, attendees = 1, extras, discount_code }: WithExtras,
): Promise<Offered | null> {
  const end_at = endAt(room, start_at, minutes);
  try {
    const quote = await quoteForPublicGuest(deps, room, {
      start_at,
      end_at,
      attendees,
      extras,
      discount_code,
    });
    return quote.available ? { start: start_at, end: end_at, quote } : null;
  } catch (error) {
    const known = asApiError(error);
    const isAboutTime = known?.status === 409 || known?.status === 422;
    if (isAboutTime && known.code !== 'amount_too_small') return null;
    throw error;
  }
}

/** The next free times after one that is taken, with their prices. */
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

function QuestionField({ question: { id, label, kind, required, choices } }: { question: Question }) {
  const name = answerField(id);
  const words = useWords();
  const marked = required ? label : words.say('page.optional', { label });
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
        options={[['', words.say('page.choose')], ...options]}
        chosen={['']}
      />
    );
  }
  return <TextField name={name} label={marked} required={required} maxLength={MAX_ANSWER} />;
}

type Extras = ReturnType<typeof extraRows>;

function GuestFields(props: {
  open: OpenPage;
  room: Room;
  extras: Extras;
  takesCodes: boolean;
  submitted: Submitted;
}) {
  const { open, room, extras, takesCodes, submitted } = props;
  const { page } = open;
  const words = useWords();
  const { terms: accepted } = page;
  const terms = (text: string) => (
    <a
      href={accepted!.kind ? open.to(termsPath(accepted!.version)) : accepted!.url}
      target="_blank"
      rel="noreferrer"
    >
      {text}
    </a>
  );
  return (
    <>
      <TextField
        name="name"
        label={words.say('page.your_name')}
        required
        maxLength={200}
        autocomplete="name"
      />
      <TextField
        name="email"
        label={words.say('page.email')}
        type="email"
        required
        maxLength={254}
        autocomplete="email"
      />
      <TextField
        name="attendees"
        label={words.say('page.people')}
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
        <summary>{words.say('page.for_company')}</summary>
        <TextField
          name="company"
          label={words.say('page.company')}
          maxLength={200}
          autocomplete="organization"
        />
        <TextField name="vat_number" label={words.say('page.vat_number')} maxLength={50} />
        <TextField name="order_reference" label={words.say('page.order_reference')} maxLength={50} />
      </details>
      {takesCodes && (
        <details open={Boolean(submitted.discount_code)}>
          <summary>{words.say('page.use_code')}</summary>
          <TextField name="discount_code" label={words.say('page.code')} maxLength={60} autocomplete="off" />
          <p class="hint">{words.say('page.code_help')}</p>
        </details>
      )}
      {page.terms && (
        <Choice name="terms_version" value={page.terms.version} required>
          {words.rich('page.accept_terms', { a: terms })}
        </Choice>
      )}
    </>
  );
}

/** The alternatives to a time that is taken. */
function Slots({ offered, zone }: { offered: Offered[]; zone: string }) {
  const words = useWords();
  const label = ({ start, end, quote: { price } }: Offered): string => {
    const { amount_minor, currency } = price;
    const time = words.time({ start_at: start, end_at: end, time_zone: zone, currency });
    if (amount_minor === 0) return words.say('page.slot_free', { time });
    return words.say('page.slot', { time, price: words.amount(amount_minor, currency) });
  };
  return (
    <fieldset class="slots">
      <legend>{words.say('page.choose_other_time')}</legend>
      {offered.map((each, n) => (
        <label key={n} class="choice">
          <input
            type="radio"
            name="slot"
            value={slotValue(each.start, each.quote.price.amount_minor)}
            checked={n === 0}
            required
          />{' '}
          {label(each)}
        </label>
      ))}
    </fieldset>
  );
}

export interface DetailsProps {
  open: OpenRoom;
  minutes: number;
  key: string;
  /** One time with its price, or alternatives if it is taken. */
  offered: Offered[];
  extras: Extra[];
  takesCodes: boolean;
  submitted?: Submitted;
  problems?: Problem[];
  isTaken?: boolean;
  /** A challenge that the browser answers before it sends the form again. */
  challenge?: unknown;
}

const PROOF = readFileSync(new URL('./proof.js', import.meta.url), 'utf8');

/** Two messages that the script swaps: one while the browser solves the challenge, one if it cannot. */
function Checking({ name }: { name: string }) {
  const words = useWords();
  return (
    <>
      <p role="status" id="checking" hidden>
        {words.say('page.checking')}
      </p>
      <p role="alert" id="unchecked">
        {words.say('page.unchecked', { name })}
      </p>
    </>
  );
}

/** The button shows the price, unless it depends on the chosen time. */
function buttonLabel(words: Words, offered: Offered[]): string {
  const totals = new Set(offered.map(({ quote: { price } }) => price.amount_minor));
  const { price } = offered[0]!.quote;
  if (totals.size > 1) return words.say('page.book_and_pay');
  if (price.amount_minor === 0) return words.say('page.book');
  return words.say('page.book_and_pay_amount', { amount: words.amount(price.amount_minor, price.currency) });
}

export function showDetails(ctx: ApiContext, status: number, props: DetailsProps): void {
  const { open, minutes, key, offered, submitted = {}, problems = [], isTaken = false, challenge } = props;
  const { room, at, to, page, workspace } = open;
  const words = wordsIn(ctx);
  const { time_zone } = room;
  const [first] = offered;
  const action = to(`${at}/details`);
  const shown = first && {
    start_at: first.start,
    end_at: first.end,
    time_zone,
    currency: first.quote.price.currency,
  };
  const isFree = first?.quote.price.amount_minor === 0;
  showPage(ctx, status, {
    title: isTaken ? words.say('page.just_taken') : words.say('page.your_details'),
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
            {first ? words.say('page.others_free') : words.say('page.none_free', { days: OFFERED_DAYS })}
          </p>
        )}
        {shown && !isTaken && (
          <>
            <FactList
              of={[
                [words.say('payer.room'), room.name],
                [words.say('payer.time'), words.time(shown)],
                [words.say('payer.length'), words.length(minutes)],
              ]}
            />
            <h2>{words.say('payer.price')}</h2>
            <Price quote={first.quote} />
            {!isFree && <RefundTerms steps={room.refund_steps} booking={shown} extras={props.extras} />}
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
                extras={extraRows(words, props.extras, {
                  submitted: Object.keys(submitted).length > 0 ? submittedExtras(submitted) : undefined,
                  amount: (minor, currency) => words.amount(minor, currency),
                })}
              />
            </FormRejectionContext.Provider>
            <p>
              {words.say(isFree ? 'page.held_by_mail' : 'page.held_for_payment', {
                length: words.length(Math.ceil(page.guest_hold_seconds / 60)),
              })}
            </p>
            <button type="submit">{buttonLabel(words, offered)}</button>
          </Form>
        )}
        <a class="button plain" href={to(at, { minutes })}>
          {words.say('page.choose_other_time')}
        </a>
      </>
    ),
  });
}
