import joi from 'joi';
import { answerField, type Question } from '../../domain/booking-page/booking-page.js';
import { invalidField } from '../../domain/errors.js';
import { latestStart, MAX_MINUTES } from '../../domain/bookings/slots.js';
import type { BookingPage } from '../../db/entities/booking-page.js';
import { email, isStorable, text } from '../../api/http/fields.js';
import { object, typed, type Typed } from '../../api/http/typed.js';
import { validate } from '../../api/http/validate.js';
import type { EnteredGuest, WantedTime } from '../../api/resources/booking-page/public/book.js';
import { extras } from '../../api/resources/bookings/booking.js';
import { name } from '../../api/resources/shared/name.js';
import { extrasEntered, submittedExtras } from '../ui/extras.js';
import type { Language } from '../../domain/words/languages.js';

const line = text(50).trim();

/** The chosen time and the price that was shown for it: `<ISO 8601>|<minor units>`. */
const SLOT = /^([^|]{10,40})\|(\d{1,12})$/;
export const slotValue = (start: Date, price_minor: number): string =>
  `${start.toISOString()}|${price_minor}`;

interface Fields {
  key: string;
  slot: string;
  minutes: number;
  attendees: number;
  name: string;
  email: string;
  company?: string;
  vat_number?: string;
  order_reference?: string;
  terms_version?: string;
  proof?: string;
  discount_code?: string;
}

/** Whether any room could be booked at this time. The limits of the room are checked later. */
export const canBeBooked = (start_at: Date, minutes: number): boolean =>
  start_at.getTime() > 0 &&
  start_at.getTime() <= latestStart(Date.now()) &&
  minutes > 0 &&
  minutes <= MAX_MINUTES;

/** The time in a form; null for a value that our forms never send. */
const TIME = typed<Pick<Fields, 'key' | 'slot' | 'minutes'>>(
  joi
    .object({
      key: joi.string().guid().required(),
      slot: joi.string().pattern(SLOT).required(),
      minutes: joi.number().required(),
    })
    .options({ stripUnknown: true }),
);

const attendees = joi.number().integer().min(1).max(100_000).empty('');

/** A number of people, for an address; empty without one. */
export type People = { attendees?: number };

/** The number of people in a query or a form, which the links between these pages pass on. */
export function peopleIn({ attendees: value }: Submitted): People {
  const read = attendees.validate(value);
  return read.error || read.value === undefined ? {} : { attendees: read.value as number };
}

/** The fields other than the time that the price depends on. */
const priced = {
  attendees: attendees.default(1),
  discount_code: text(60).trim().empty(''),
};

/** The names of the fields that the price depends on. */
export const PRICED_BY = [...Object.keys(priced), 'extra_id', 'extra_quantity'];

const CHOICE = typed<Pick<Fields, 'attendees' | 'discount_code'>>(
  joi.object(priced).options({ stripUnknown: true }),
);

const GUEST: Typed<Fields> = typed(
  joi
    .object({
      ...priced,
      name: name.required(),
      email: text(254).trim().concat(email).required(),
      company: name.empty(''),
      vat_number: line.empty(''),
      order_reference: line.empty(''),
      terms_version: text(50).empty(''),
      proof: text(4_000).empty(''),
    })
    .options({ stripUnknown: true }),
);

const EXTRAS = object({ extras }, 'extras').required();

export type Submitted = Record<string, string | string[]>;

/** The time and the idempotency key of a form; null if the form was not made by these pages. */
export function timeIn(form: Submitted) {
  const { value, error } = TIME.validate(form);
  if (error) return null;
  const { key, slot, minutes } = value as Fields;
  const [, start, price] = SLOT.exec(slot)!;
  const start_at = new Date(start!);
  if (!canBeBooked(start_at, minutes)) return null;
  return { key, minutes, start_at, expected_minor: Number(price) };
}

const answerIn = (form: Submitted, { id }: Question): string => {
  const [value = ''] = [form[answerField(id)] ?? ''].flat();
  if (!isStorable(value)) throw invalidField(answerField(id), 'must be text');
  return value;
};

export type Choice = Pick<WantedTime, 'attendees' | 'extras' | 'discount_code'>;

const extrasIn = (form: Submitted): Choice['extras'] =>
  validate(EXTRAS, { extras: extrasEntered(submittedExtras(form)) }, false).extras;

/** The choices in a form or a query that the price depends on. Errors: 422 `validation_failed`. */
export const choiceIn = (form: Submitted): Choice => ({
  ...validate(CHOICE, form, true),
  extras: extrasIn(form),
});

/** The guest in a form. `locale`: the language of the page. Errors: 422 `validation_failed`. */
export function guestIn(
  form: Submitted,
  { questions }: BookingPage,
  locale: Language,
): EnteredGuest & Choice {
  const {
    attendees,
    name,
    email,
    company,
    vat_number,
    order_reference,
    terms_version,
    proof,
    discount_code,
  } = validate(GUEST, form, true);
  return {
    attendees,
    extras: extrasIn(form),
    discount_code,
    guest: { name, email, locale },
    billing: {
      company: company ?? null,
      vat_number: vat_number ?? null,
      order_reference: order_reference ?? null,
    },
    answers: new Map(questions.map((question) => [question.id, answerIn(form, question)])),
    terms_version: terms_version ?? null,
    proof,
  };
}
