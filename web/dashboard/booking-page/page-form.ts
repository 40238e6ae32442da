import joi from 'joi';
import { QUESTION_KINDS } from '../../../domain/booking-page/booking-page.js';
import { text } from '../../../api/http/fields.js';
import { put } from '../../../api/resources/booking-page/handlers.js';
import { putSchema } from '../../../api/resources/booking-page/shape.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';

/** Empty rows for further questions, below those that there are. */
export const EMPTY_QUESTIONS = 2;

const list = joi.array().items(text(500).allow('')).single().max(100);

/** The form's fields. A row of a question has one value in each of the four lists. */
export const pageFields = {
  ...hiddenFields,
  slug: text(100).trim().allow(''),
  enabled: joi.valid('on'),
  rooms: joi.valid('all', 'some').required(),
  room_ids: list,
  question_id: list,
  label: list,
  kind: joi
    .array()
    .items(joi.valid(...QUESTION_KINDS))
    .single(),
  required: joi.array().items(joi.valid('yes', 'no')).single(),
  choices: list,
  terms_url: text(2_000).trim().allow(''),
  terms_version: text(100).trim().allow(''),
  accent: text(50).trim().allow(''),
  logo_url: text(2_000).trim().allow(''),
  hold_minutes: text(20).trim().required(),
  embed_origins: text(5_000).allow(''),
  notice: text(2_000).allow(''),
  languages: list,
};

interface PageForm {
  slug: string;
  enabled?: 'on';
  rooms: 'all' | 'some';
  room_ids?: string[];
  question_id?: string[];
  label?: string[];
  kind?: string[];
  required?: string[];
  choices?: string[];
  terms_url: string;
  terms_version: string;
  accent: string;
  logo_url: string;
  hold_minutes: string;
  embed_origins: string;
  notice: string;
  languages?: string[];
}

const partsOf = (entered: string, separator: RegExp): string[] =>
  entered.split(separator).flatMap((part) => part.trim() || []);

/** A question's id for the API, from its words: `How many chairs?` is `how_many_chairs`. */
const idFrom = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 36) || 'question';

/** The questions of rows with a label. One that is new gets an id of its own. */
function questionsIn({ question_id = [], label = [], kind = [], required = [], choices = [] }: PageForm) {
  const taken = new Set(question_id.filter(Boolean));
  return label.flatMap((each, n) => {
    if (!each.trim()) return [];
    let id = question_id[n] || idFrom(each);
    for (let copy = 2; !question_id[n] && taken.has(id); copy++) id = `${idFrom(each)}_${copy}`;
    taken.add(id);
    const question = { id, label: each, kind: kind[n], required: required[n] === 'yes' };
    return [{ ...question, choices: kind[n] === 'choice' ? partsOf(choices[n] ?? '', /;/) : [] }];
  });
}

/** Saves the page as `PUT /v1/booking-page` does. */
export const savePage = apiForm<PageForm>({
  handler: put,
  schema: putSchema,
  body: (form) => ({
    slug: form.slug,
    enabled: form.enabled === 'on',
    room_ids: form.rooms === 'all' ? null : (form.room_ids ?? []),
    embed_origins: partsOf(form.embed_origins, /\s/),
    questions: questionsIn(form),
    terms: form.terms_url || form.terms_version ? { url: form.terms_url, version: form.terms_version } : null,
    theme: { accent: form.accent || null, logo_url: form.logo_url || null },
    guest_hold_seconds: Math.round(Number(form.hold_minutes) * 60),
    ...(form.languages?.length && { languages: form.languages }),
    notice: form.notice.replaceAll('\r\n', '\n').trim() || null,
  }),
  to: () => '/booking-page',
  notice: () => 'Booking page saved.',
});
