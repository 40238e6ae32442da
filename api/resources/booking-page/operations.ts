import { replaceBookingPage as replace } from '../../../commands/booking-page/booking-page.js';
import { useTermsFile, type SentTerms } from '../../../commands/booking-page/terms.js';
import { findBookingPage } from '../../../db/queries/booking-page/booking-page.js';
import {
  GUEST_HOLD_SECONDS,
  MAX_ANSWER,
  MAX_TERMS_BYTES,
  MAX_TERMS_TEXT,
  QUESTION_KINDS,
  TERMS_KINDS,
  type Question,
} from '../../../domain/booking-page/booking-page.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { presentBookingPage } from '../../../domain/booking-page/page-presenter.js';
import { TERMS_TYPE } from '../../../domain/rooms/picture.js';
import { text, uuid } from '../../http/fields.js';
import { WEB_URL } from '../../http/patterns.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  string,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { operation } from '../../http/operation.js';
import { EXAMPLE_ROOM_ID } from '../rooms/operations.js';
import { field, splitSides } from '../shared/field.js';
import { imageUrl } from '../shared/image-url.js';
import { origin } from '../shared/origin.js';
import { PICTURE_BODY, uploadedTerms } from '../shared/picture-upload.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { accentColor } from '../workspaces/operations.js';
import { LANGUAGES } from '../../../domain/words/languages.js';

const MAX_QUESTIONS = 20;
const MAX_CHOICES = 20;

const SLUG = /^[a-z0-9](-?[a-z0-9]){2,59}$/;

const question = splitSides({
  id: field(
    string.pattern(/^[a-z0-9_]{1,40}$/, 'lower-case letters, digits and _'),
    'Identifies the question.',
  ),
  label: field(text(200).trim().min(1), 'The question.'),
  kind: field(oneOf(QUESTION_KINDS), 'The kind of answer: a line of text, one of `choices`, or a checkbox.'),
  required: field(boolean, 'Whether an answer is required. A required checkbox must be selected.'),
  choices: field(
    array(text(MAX_ANSWER).trim().min(1)).unique().max(MAX_CHOICES),
    'The choices of a question of the kind `choice`. Empty for other kinds.',
  ),
});

export const askedQuestion = s.shape('Question', question.read);

const sentQuestion = object(
  {
    ...question.sent,
    required: withDefault(question.sent.required, false),
    choices: withDefault(question.sent.choices, []),
  },
  'id',
  'label',
  'kind',
).custom((value: Question, helpers) =>
  (value.kind === 'choice') === value.choices.length >= 2
    ? value
    : helpers.message({
        custom: '{{#label}} must have at least two choices if the kind is choice, and none otherwise',
      }),
);

/** The version of terms. */
export const termsVersion = text(50).trim().min(1);

const terms = splitSides({
  kind: field(
    oneOf(TERMS_KINDS),
    'Whether the terms are a page of yours (`url`), or a `text` or `file` of the booking page.',
  ),
  url: field(
    text(2_000)
      .uri({ scheme: ['http', 'https'] })
      .meta({ json: { pattern: WEB_URL } }),
    'The URL of the terms.',
    { sent: 'The URL of the terms, if they are a page of yours.' },
  ),
  version: field(termsVersion, 'The version of the terms. Change it whenever the text changes.'),
});

const termsSent = object(
  {
    url: terms.sent.url,
    text: text(MAX_TERMS_TEXT)
      .trim()
      .min(1)
      .description('The terms as plain text, which the booking page shows. It is stored under `version`.'),
    version: terms.sent.version,
  },
  'version',
).custom((value: SentTerms, helpers) =>
  value.url !== undefined && value.text !== undefined
    ? helpers.message({ custom: '{{#label}} must have either url or text' })
    : value,
);

const theme = splitSides({
  accent: field(
    nullable(accentColor),
    'The colour of buttons, as `#rrggbb`, with a contrast to white of at least 4.5 to 1.',
  ),
  logo_url: field(nullable(imageUrl), 'The URL (https) of the logo.'),
});

const fields = splitSides({
  slug: field(
    string.pattern(SLUG, '3 to 60 lower-case letters and digits, with single hyphens between them'),
    'The last part of the page’s URL, unique across all booking pages of the service.',
    { read: s.nullableText },
  ),
  enabled: field(boolean, 'Whether people can book on the page.'),
  room_ids: field(
    nullable(array(uuid).unique().max(500)),
    'The rooms on the page. Null for all rooms that guests can book.',
    { read: s.orNull(array(s.anyUuid)) },
  ),
  embed_origins: field(
    array(origin).unique().max(20),
    'The origins of sites that may show the page in a frame.',
    { read: array(s.anyText) },
  ),
  questions: field(
    array(sentQuestion).unique('id').max(MAX_QUESTIONS),
    'Questions that people answer when they book.',
    { read: array(askedQuestion) },
  ),
  terms: field(nullable(termsSent), 'The terms that people accept when they book.', {
    sent:
      'The terms that people accept when they book. With `version` alone, the text or PDF that is stored ' +
      'under this version.',
    read: s.orNull(s.shape(terms.read)),
  }),
  theme: field(
    object(theme.sent),
    'The appearance of the page. Null values use the appearance of the workspace’s other pages.',
    {
      read: s.shape(theme.read),
    },
  ),
  languages: field(array(oneOf(LANGUAGES)).unique().min(1), 'The languages of the page.', {
    read: array(string),
  }),
  guest_hold_seconds: field(
    integer.min(10).max(DAY_SECONDS),
    'How long a room is held until a booking made on the page is paid, in seconds.',
  ),
  notice: field(nullable(text(1_000).trim()), 'Text at the top of the page.'),
});

const page = s.presentedBy(
  presentBookingPage,
  s.shape('BookingPage', {
    ...fields.read,
    url: s.nullableText.description('The URL of the page. Null until the page is set up.'),
  }),
);

export type ShownPage = Infer<typeof page>;

const settings = {
  slug: 'harbour-house',
  enabled: true,
  room_ids: [EXAMPLE_ROOM_ID],
  embed_origins: ['https://www.harbour.example'],
  questions: [
    {
      id: 'layout',
      label: 'How should the chairs stand?',
      kind: 'choice',
      required: true,
      choices: ['In rows', 'In a circle'],
    },
  ],
  terms: { url: 'https://www.harbour.example/terms', version: '2026-05' },
  theme: { accent: '#1e5f7f', logo_url: null },
  languages: ['en'],
  guest_hold_seconds: 900,
  notice: null,
};
const example = {
  ...settings,
  terms: { kind: 'url', ...settings.terms },
  url: 'https://book.example.com/book/harbour-house',
};

export const getBookingPage = operation({
  route: 'GET /v1/booking-page',
  summary: 'Get the booking page',
  description:
    'Returns the settings of the public booking page. `slug` and `url` are null until the page is ' +
    'set up.',
  scope: 'workspace:read',
  capability: 'read_workspace',
  responses: { 200: page },
  examples: { response: example },
  run: async (_, { workspace_id }, { db, publicUrl }) =>
    presentBookingPage(await findBookingPage(db.manager, workspace_id), publicUrl),
});

export const replaceBookingPage = operation({
  route: 'PUT /v1/booking-page',
  summary: 'Set up the booking page',
  id: 'replaceBookingPage',
  description:
    'Replaces the settings of the public booking page. Fields that you omit are set to their ' +
    'default. If `slug` changes, the previous URL stops working.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  body: object(
    {
      ...fields.sent,
      enabled: withDefault(fields.sent.enabled, true),
      room_ids: withDefault(fields.sent.room_ids, null),
      embed_origins: withDefault(fields.sent.embed_origins, []),
      questions: withDefault(fields.sent.questions, []),
      terms: withDefault(fields.sent.terms, null),
      theme: withDefault(fields.sent.theme, {}),
      languages: withDefault(fields.sent.languages, [...LANGUAGES]),
      guest_hold_seconds: withDefault(fields.sent.guest_hold_seconds, GUEST_HOLD_SECONDS),
      notice: withDefault(fields.sent.notice, null),
    },
    'slug',
  ).required(),
  responses: { 200: page },
  errors: ['limit_reached'],
  examples: { body: settings, response: example },
  run: ({ body }, caller, { db, publicUrl }) => replace(db, publicUrl, caller, body),
});

export const uploadTerms = operation({
  route: 'PUT /v1/booking-page/terms',
  summary: 'Upload the terms of the booking page',
  id: 'uploadBookingPageTerms',
  description:
    'The request body is a PDF of at most 5 MiB, with the content type `application/pdf`. It becomes the ' +
    'terms that people accept when they book. A version that has other terms is rejected with 422.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  query: object(
    { version: termsVersion.description('The version of the terms. Change it whenever the text changes.') },
    'version',
  ),
  upload: { types: [TERMS_TYPE], maxBytes: MAX_TERMS_BYTES },
  responses: { 200: page },
  errors: ['not_found', ...PICTURE_BODY.errors],
  examples: {
    query: { version: '2026-06' },
    response: {
      ...example,
      terms: { kind: 'file', url: `${example.url}/terms/2026-06`, version: '2026-06' },
    },
  },
  async run({ file, query }, caller, deps) {
    const { key, store } = uploadedTerms(deps, caller.workspace_id, file!);
    await store();
    return useTermsFile(deps.db, deps.publicUrl, caller, { version: query.version, file_key: key });
  },
});

/** The public booking page (docs/rules/booking-page.md). */
export const bookingPage: Resource = {
  tag: 'Booking page',
  operations: [getBookingPage, replaceBookingPage, uploadTerms],
};
