import { readFileSync } from 'node:fs';
import type { Room } from '../../db/entities/rooms.js';
import { answerField, MAX_ANSWER, termsPath, type Question } from '../../domain/booking-page/booking-page.js';
import type { ApiContext } from '../../api/http/context.js';
import { Choice, Optional, Select, TextField } from '../dashboard/shared/fields.js';
import { FormRejectionContext } from '../dashboard/shared/form.js';
import { ExtraInputs, extraRows, submittedExtras } from '../ui/extras.js';
import { Form } from '../ui/forms.js';
import { useWords, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { PRICED_SCRIPT } from '../ui/priced.js';
import { slotValue, type Submitted } from './guest-form.js';
import { OFFERED_DAYS, type Offered } from './offer.js';
import type { OpenPage } from './page.js';
import { Summary, type DetailsProps } from './summary.js';

function QuestionField({ question: { id, label, kind, required, choices } }: { question: Question }) {
  const name = answerField(id);
  const words = useWords();
  if (kind === 'check')
    return (
      <Choice name={name} required={required}>
        {label}
        {!required && <Optional />}
      </Choice>
    );
  if (kind === 'choice') {
    const options = choices.map((choice) => [choice, choice] as const);
    return (
      <Select
        name={name}
        label={label}
        optional={!required}
        options={[['', words.say('page.choose')], ...options]}
        chosen={['']}
      />
    );
  }
  return <TextField name={name} label={label} required={required} maxLength={MAX_ANSWER} />;
}

type Extras = ReturnType<typeof extraRows>;

function GuestFields(props: {
  open: OpenPage;
  room: Room;
  extras: Extras;
  takesCodes: boolean;
  attendees: number;
  submitted: Submitted;
}) {
  const { open, room, extras, takesCodes, attendees, submitted } = props;
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
        value={String(attendees)}
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
          optional={false}
        />
        <TextField name="vat_number" label={words.say('page.vat_number')} maxLength={50} />
        <TextField name="order_reference" label={words.say('page.order_reference')} maxLength={50} />
      </details>
      {takesCodes && (
        <details open={Boolean(submitted.discount_code)}>
          <summary>{words.say('page.use_code')}</summary>
          <TextField
            name="discount_code"
            label={words.say('page.code')}
            maxLength={60}
            autocomplete="off"
            optional={false}
          />
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
    const time = words.span({ start_at: start, end_at: end, time_zone: zone, currency });
    if (amount_minor === 0) return words.say('page.slot_free', { time });
    return words.say('page.slot', { time, price: words.amount(amount_minor, currency) });
  };
  return (
    <fieldset class="slots">
      <legend>{words.say('page.choose_other_time')}</legend>
      <p class="hint">{words.say('page.times_in', { zone })}</p>
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

/** The chosen room and time, shown above the form on narrow screens, where the summary is below it. */
function Chosen({ room, of }: { room: Room; of: Offered }) {
  const words = useWords();
  const { price } = of.quote;
  const span = { start_at: of.start, end_at: of.end, time_zone: room.time_zone, currency: price.currency };
  return (
    <p class="chosen">
      <b>
        <bdi>{room.name}</bdi>
      </b>
      , {words.span(span)}
    </p>
  );
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

export function showDetails(ctx: ApiContext, status: number, props: DetailsProps): void {
  const { open, minutes, key, offered, people, submitted = {}, problems = [] } = props;
  const { isTaken = false, challenge } = props;
  const { room, at, to, page, workspace } = open;
  const words = wordsIn(ctx);
  const [first] = offered;
  const address = first && to(`${at}/details`, { start: first.start.toISOString(), minutes, key });
  // The form redirects to the processor's page, which refuses to be framed.
  const isFramed = page.embed_origins.length > 0;
  const action = open.toTop(`${at}/details`);
  const isSubmitted = Object.keys(submitted).length > 0;
  showPage(ctx, status, {
    title: isTaken ? words.say('page.just_taken') : words.say('page.your_details'),
    mark: isTaken ? 'waiting' : undefined,
    wide: true,
    back: { href: to(at, { ...people, minutes }), label: words.say('page.choose_other_time') },
    script: PRICED_SCRIPT + (challenge ? PROOF : ''),
    fetches: true,
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
        {first && (
          <Form action={action} class="booking" target={isFramed ? '_top' : undefined}>
            <div class="card">
              {!isTaken && <Chosen room={room} of={first} />}
              <FormRejectionContext.Provider value={isSubmitted ? { action, submitted, problems } : null}>
                {isTaken && <Slots offered={offered} zone={room.time_zone} />}
                <GuestFields
                  open={open}
                  room={room}
                  takesCodes={props.takesCodes}
                  attendees={people.attendees ?? 1}
                  submitted={submitted}
                  extras={extraRows(words, props.extras, {
                    submitted: isSubmitted ? submittedExtras(submitted) : undefined,
                    amount: (minor, currency) => words.amount(minor, currency),
                  })}
                />
              </FormRejectionContext.Provider>
              <input type="hidden" name="minutes" value={minutes} />
              <input type="hidden" name="key" value={key} />
              {challenge !== undefined && (
                <input type="hidden" name="proof" data-challenge={JSON.stringify(challenge)} />
              )}
            </div>
            <Summary {...props} address={address!} />
          </Form>
        )}
      </>
    ),
  });
}
