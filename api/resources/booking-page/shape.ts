import {
  GUEST_HOLD_SECONDS,
  MAX_ANSWER,
  QUESTION_KINDS,
  type Question,
} from '../../../domain/booking-page/booking-page.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { presentBookingPage } from '../../../domain/booking-page/page-presenter.js';
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
import { field, sidesOf } from '../shared/field.js';
import { imageUrl } from '../shared/image-url.js';
import { origin } from '../shared/origin.js';
import * as s from '../shared/shapes.js';
import { accentColor } from '../workspaces/shape.js';
import { LANGUAGES } from '../../../domain/words/languages.js';

export const MAX_QUESTIONS = 20;
const MAX_CHOICES = 20;

const SLUG = /^[a-z0-9](-?[a-z0-9]){2,59}$/;

const question = sidesOf({
  id: field(
    string.pattern(/^[a-z0-9_]{1,40}$/, 'lower-case letters, digits and _'),
    'Identifies the question.',
  ),
  label: field(text(200).trim().min(1), 'The question.'),
  kind: field(oneOf(QUESTION_KINDS), 'A line of text, one of `choices`, or a checkbox.'),
  required: field(boolean, 'Whether it must be answered. A checkbox must then be selected.'),
  choices: field(
    array(text(MAX_ANSWER).trim().min(1)).unique().max(MAX_CHOICES),
    'What to choose from, for the kind `choice`; empty for the others.',
  ),
});

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
        custom: '{{#label}} must have two choices or more if its kind is choice, else none',
      }),
);

const terms = sidesOf({
  url: field(
    text(2_000)
      .uri({ scheme: ['http', 'https'] })
      .meta({ json: { pattern: WEB_URL } }),
    'The URL of the terms.',
  ),
  version: field(text(50).trim().min(1), 'Their version. A new text has another one.'),
});

const theme = sidesOf({
  accent: field(
    nullable(accentColor),
    'The colour of buttons, as `#rrggbb`, with a contrast to white of at least 4.5 to 1.',
  ),
  logo_url: field(nullable(imageUrl), 'The URL (https) of the logo.'),
});

const { sent, read } = sidesOf({
  slug: field(
    string.pattern(SLUG, '3 to 60 lower-case letters and digits, with single hyphens between them'),
    'The last part of the address of the page. No two pages have the same.',
    { read: s.nullableText },
  ),
  enabled: field(boolean, 'Whether people can book on the page.'),
  room_ids: field(
    nullable(array(uuid).unique().max(500)),
    'The rooms on the page. Null for all that guests can book.',
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
    { read: array(s.shape(question.read)) },
  ),
  terms: field(
    nullable(object(terms.sent, 'url', 'version')),
    'The terms that people accept when they book.',
    {
      read: s.orNull(s.shape(terms.read)),
    },
  ),
  theme: field(
    object(theme.sent),
    'The look of the page. What is null is as on other pages of the workspace.',
    {
      read: s.shape(theme.read),
    },
  ),
  languages: field(array(oneOf(LANGUAGES)).unique().min(1), 'The languages of the page.', {
    read: array(string),
  }),
  guest_hold_seconds: field(
    integer.min(10).max(DAY_SECONDS),
    'How long a room is held for somebody who books on the page, until they have paid.',
  ),
  notice: field(nullable(text(1_000).trim()), 'Text at the top of the page.'),
});

/** Body of `PUT /v1/booking-page`: the whole page. */
export const putSchema = object(
  {
    ...sent,
    enabled: withDefault(sent.enabled, true),
    room_ids: withDefault(sent.room_ids, null),
    embed_origins: withDefault(sent.embed_origins, []),
    questions: withDefault(sent.questions, []),
    terms: withDefault(sent.terms, null),
    theme: withDefault(sent.theme, {}),
    languages: withDefault(sent.languages, [...LANGUAGES]),
    guest_hold_seconds: withDefault(sent.guest_hold_seconds, GUEST_HOLD_SECONDS),
    notice: withDefault(sent.notice, null),
  },
  'slug',
).required();
export type PutBody = Infer<typeof putSchema>;

/** A booking page in responses. */
export const bookingPage = s.presentedBy(
  presentBookingPage,
  s.shape({
    ...read,
    url: s.nullableText.description('The address of the page. Null until it is set up.'),
  }),
);
