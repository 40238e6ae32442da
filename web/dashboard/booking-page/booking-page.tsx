import joi from 'joi';
import {
  replaceBookingPage,
  getBookingPage,
  type ShownPage,
} from '../../../api/resources/booking-page/operations.js';
import { findTerms } from '../../../db/queries/booking-page/booking-page.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Room } from '../../../db/entities/rooms.js';
import { QUESTION_KINDS, type Question } from '../../../domain/booking-page/booking-page.js';
import { whyNotTakePayments } from '../../../domain/processor/refusals.js';
import { embedSnippet } from '../../booking-page/embedding.js';
import { Secret } from '../../ui/copy.js';
import { repeated, type Submitted } from '../forms/fields.js';
import { form } from '../forms/form.js';
import { boxes, note, type Input } from '../forms/inputs.js';
import { page, run, type PageProps } from '../forms/page.js';
import { readRooms } from '../rooms/limit.js';
import { submittedValues } from '../rooms/refund-rows.js';
import { FactCard } from '../shared/action.js';
import { CardPaymentsLink } from '../shared/card-payments.js';
import { pathIn } from '../shared/paths.js';
import { Choice, Choices } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { Status } from '../shared/status.js';
import { LANGUAGE_OPTIONS } from '../shared/language-options.js';
import { terms, TermsUpload, uploadForm, type WithTerms } from './terms.js';

interface SettingsPage extends WithTerms {
  /** Those that guests can book, and those that are chosen. */
  rooms: Room[];
  takesPayments: boolean;
  publicUrl: string;
}

/** A room, with why guests cannot book it although it was chosen. */
const nameWithReason = ({ name, archived, tiers }: Room): string =>
  archived ? `${name} (archived)` : tiers ? `${name} (limited to plans)` : name;

/** Which rooms are on the page: all that guests can book, or some. */
const roomsOnPage: Input<SettingsPage> = {
  fields: (name) => ({ rooms: joi.valid('all', 'some').required(), [name]: repeated }),
  read: (name, form) => ({ [name]: form.rooms === 'all' ? null : form[name] }),
  Show: ({ name, shown: { data } }) => {
    const chosen = data.page.room_ids;
    return (
      <fieldset>
        <legend>Rooms on the page</legend>
        <Choice type="radio" name="rooms" value="all" checked={chosen === null}>
          All rooms that guests can book
        </Choice>
        <Choice type="radio" name="rooms" value="some" checked={chosen !== null}>
          Only these:
        </Choice>
        <Choices
          name={name}
          label="Rooms"
          options={data.rooms.map((room) => [room.id, nameWithReason(room)] as const)}
          chosen={chosen ?? []}
        />
        <p class="hint">Rooms limited to certain plans are never on it.</p>
      </fieldset>
    );
  },
  wide: () => true,
  called: () => ({}),
};

/** Empty rows for new questions. */
const EMPTY_QUESTIONS = 2;

const KIND_NAMES: Record<Question['kind'], string> = { text: 'Text', choice: 'Choice', check: 'Checkbox' };

const splitList = (entered: string, separator: RegExp): string[] =>
  entered.split(separator).flatMap((part) => part.trim() || []);

/** A question's id for the API, from its words: `How many chairs?` is `how_many_chairs`. */
const idFrom = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 36) || 'question';

/** A question's choices as its text area shows them, one per line. */
const writtenChoices = (choices: string[]): string => choices.join('\n').replaceAll(/\r\n?/g, '\n');

/**
 * The questions of rows with a label. A new question gets a unique id. The choices of a stored question stay
 * as they are if they were submitted as shown: one can have several lines.
 */
function questionsIn(form: Submitted, stored: Question[]): Question[] {
  const { question_id, label, kind, required, choices } = form as Record<string, string[]>;
  const taken = new Set(question_id!.filter(Boolean));
  return label!.flatMap((each, n) => {
    if (!each.trim()) return [];
    let id = question_id![n] || idFrom(each);
    for (let copy = 2; !question_id![n] && taken.has(id); copy++) id = `${idFrom(each)}_${copy}`;
    taken.add(id);
    const question = {
      id,
      label: each,
      kind: kind![n] as Question['kind'],
      required: required![n] === 'yes',
    };
    if (question.kind !== 'choice') return [{ ...question, choices: [] }];
    const entered = writtenChoices([choices![n] ?? '']);
    const before = stored.find((each) => each.id === id && writtenChoices(each.choices) === entered);
    return [{ ...question, choices: before?.choices ?? splitList(entered, /\n/) }];
  });
}

const repeatable = (value: joi.Schema) => joi.array().items(value).single().max(100).default([]);
const list = repeatable(joi.string().allow(''));

/** Questions as table rows. Each submitted list has one value per row. */
const questions: Input<SettingsPage> = {
  fields: () => ({
    question_id: list,
    label: list,
    kind: repeatable(joi.valid(...QUESTION_KINDS)),
    required: repeatable(joi.valid('yes', 'no')),
    choices: list,
  }),
  read: (name, form, { of }) => ({ [name]: questionsIn(form, (of as ShownPage).questions) }),
  Show({ shown: { ctx, action, data } }) {
    const of = data.page.questions;
    const submitted = (name: string, n: number) => submittedValues(ctx, action, name)?.[n];
    const rows = submittedValues(ctx, action, 'label')?.length ?? of.length + EMPTY_QUESTIONS;
    return (
      <table class="inputs">
        <thead>
          <tr>
            <th>Question</th>
            <th>Type</th>
            <th>Required</th>
            <th>Choices, one per line</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, n) => {
            const question = of[n];
            const chosen = submitted('kind', n) ?? question?.kind ?? 'text';
            const required = submitted('required', n) ?? (question?.required ? 'yes' : 'no');
            return (
              <tr key={n}>
                <td data-label="Question">
                  <input
                    type="hidden"
                    name="question_id"
                    value={submitted('question_id', n) ?? question?.id ?? ''}
                  />
                  <input
                    name="label"
                    id={n === 0 ? 'label' : undefined}
                    aria-label={`Question ${n + 1}`}
                    maxLength={200}
                    value={submitted('label', n) ?? question?.label ?? ''}
                  />
                </td>
                <td data-label="Type">
                  <select name="kind" aria-label={`Type of question ${n + 1}`}>
                    {QUESTION_KINDS.map((kind) => (
                      <option key={kind} value={kind} selected={kind === chosen}>
                        {KIND_NAMES[kind]}
                      </option>
                    ))}
                  </select>
                </td>
                <td data-label="Required">
                  <select name="required" aria-label={`Question ${n + 1} required`}>
                    {['no', 'yes'].map((each) => (
                      <option key={each} value={each} selected={each === required}>
                        {each === 'yes' ? 'Yes' : 'No'}
                      </option>
                    ))}
                  </select>
                </td>
                <td data-label="Choices, one per line">
                  <textarea
                    name="choices"
                    id={n === 0 ? 'choices' : undefined}
                    aria-label={`Choices of question ${n + 1}, one per line`}
                    rows={3}
                    value={submitted('choices', n) ?? writtenChoices(question?.choices ?? [])}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    );
  },
  wide: () => true,
  called: () => ({}),
};

const save = form(
  replaceBookingPage,
  {
    slug: { label: ({ publicUrl }: SettingsPage) => `Address: ${publicUrl}/book/…` },
    enabled: 'Accept bookings',
    room_ids: roomsOnPage,
    notice: { label: 'Intro text', rows: 3 },
    guest_hold_seconds: { label: 'Payment hold in minutes', wide: true },
    languages: boxes('Languages (none = all)', LANGUAGE_OPTIONS),
    questions_heading: note(() => <h2>Questions</h2>),
    questions,
    questions_hint: note(() => <p class="hint">Answers are on the booking and in the API.</p>),
    terms_heading: note(() => <h2>Terms</h2>),
    terms,
    look_heading: note(() => <h2>Appearance</h2>),
    'theme.accent': {
      label: 'Button colour',
      placeholder: '#1e5f7f',
      wide: false,
      isColour: true,
    },
    'theme.logo_url': { label: 'Logo URL', type: 'url', placeholder: 'https://' },
    embed_origins: {
      label: 'Embedding websites, one per line',
      placeholder: 'https://www.example.com',
      rows: 3,
    },
  },
  {
    button: 'Save',
    // A page that is not set up yet is enabled by default.
    of: ({ page }) => ({ ...page, enabled: page.slug === null || page.enabled }),
    body: ({ languages, embed_origins, ...entered }) => ({
      ...entered,
      embed_origins: (embed_origins as string[]).flatMap((line) => splitList(line, /\s/)),
      ...((languages as string[]).length > 0 && { languages }),
    }),
    notice: () => 'Booking page saved.',
  },
);

/** The code to paste into a website, with a copy button. */
function Embed({ page, publicUrl }: SettingsPage) {
  if (!page.slug) return null;
  return (
    <section class="about">
      <h2>Embed</h2>
      {page.embed_origins.length === 0 ? (
        <p class="hint">Enter your website under Appearance to get the code.</p>
      ) : (
        <>
          <Secret id="embed-snippet">{embedSnippet(publicUrl, page.slug)}</Secret>
          <p class="hint">Works only on {page.embed_origins.join(', ')}.</p>
        </>
      )}
    </section>
  );
}

function Address({ page }: { page: ShownPage }) {
  if (!page.url) return <p class="empty">Guests book and pay at an address of yours, without an account.</p>;
  return (
    <FactCard
      of={[
        [
          'Status',
          <Status value={page.enabled ? 'enabled' : 'disabled'} name={page.enabled ? 'on' : 'off'} />,
        ],
        ['Address', <a href={page.url}>{page.url}</a>],
      ]}
    />
  );
}

function Settings(props: PageProps<SettingsPage>) {
  const { ctx, data } = props;
  return (
    <div class="columns">
      <aside>
        <Address page={data.page} />
        {!data.takesPayments && (
          <p class="alert">
            Free bookings only, until <CardPaymentsLink ctx={ctx}>card payments are set up</CardPaymentsLink>.
          </p>
        )}
        <Embed {...data} />
      </aside>
      <div>
        <Form class="card wide" ctx={ctx} action={pathIn(ctx, '/booking-page')} once>
          <save.Inputs page={props} />
          <button>Save</button>
        </Form>
        <TermsUpload page={props} />
      </div>
    </div>
  );
}

export const bookingPage = [
  page({
    path: '/booking-page',
    capability: 'write_workspace',
    title: 'Booking page',
    async load(request, deps): Promise<SettingsPage> {
      const { workspace_id } = request.caller;
      const { db, pictures, publicUrl } = deps;
      const [page, workspace] = await Promise.all([
        run(getBookingPage, {}, request, deps),
        findWorkspace(db.manager, workspace_id),
      ]);
      const rooms = await readRooms(request, deps, page.room_ids);
      const version = page.terms?.kind === 'text' ? page.terms.version : null;
      const stored = version !== null && (await findTerms(db.manager, workspace_id, version));
      const termsText = stored ? stored.text : null;
      return {
        page,
        termsText,
        hasUploads: pictures !== null,
        rooms: rooms.filter(({ id, tiers }) => !tiers || page.room_ids?.includes(id)),
        takesPayments: whyNotTakePayments(workspace!) === null,
        publicUrl,
      };
    },
    view: Settings,
    forms: [save, uploadForm],
  }),
];
