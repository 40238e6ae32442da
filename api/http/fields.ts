import joi from 'joi';
import { asId, UUID } from '../../db/ids.js';
import { isCanonical } from '../../db/address.js';
import { PROCESSOR_CURRENCIES } from '../../domain/processor/amounts.js';
import { isZoneName, ZONE_RULE } from '../../domain/time-zone.js';
import {
  EMAIL,
  LONG_LOCAL_PART,
  MEMBER_ID,
  STORABLE,
  TIME_ZONE,
  TIMESTAMP,
  wordsPattern,
} from './patterns.js';
import { object, string, typed, type Typed } from './typed.js';

/** Whether Postgres can store a text: it is well-formed Unicode without NUL. */
export const isStorable = (value: string): boolean => !value.includes('\0') && !/\p{Surrogate}/u.test(value);

/** Text that Postgres can store. */
export const text = (max: number): Typed<string, joi.StringSchema> =>
  string
    .max(max)
    .meta({ json: { pattern: STORABLE } })
    .custom((value: string, helpers) =>
      isStorable(value)
        ? value
        : helpers.message({ custom: '{{#label}} must be valid Unicode without NUL characters' }),
    );

const ISO_WITH_OFFSET = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The years of times, as they are written and in UTC. JavaScript and Postgres write others differently. */
const isYear = (year: number): boolean => year >= 1970 && year <= 9999;

/** An ISO 8601 time with an offset or Z, as a `Date`; dates such as 30 February are refused. */
export const timestamp = typed<Date>(
  joi
    .string()
    .meta({ json: { format: 'date-time', pattern: TIMESTAMP } })
    .custom((value: string, helpers) => {
      const match = ISO_WITH_OFFSET.exec(value);
      const date = new Date(value);
      const [, year, month, day] = match ?? [];
      const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
      if (!match || Number.isNaN(date.getTime()) || Number(day) > daysInMonth) {
        return helpers.message({
          // An unescaped `+` in a query is a space.
          custom: / \d\d:?\d\d$/.test(value)
            ? '{{#label}} has a space instead of the sign of its offset: encode + as %2B in a URL'
            : '{{#label}} must be an ISO 8601 time with an offset, such as 2027-01-31T09:00:00Z',
        });
      }
      return isYear(Number(year)) && isYear(date.getUTCFullYear())
        ? date
        : helpers.message({ custom: '{{#label}} must be in the years 1970 to 9999, also in UTC' });
    }),
);

/** The end of a list's optional time range, whose start is the field `start`. */
export const rangeEndField = (start: string): typeof timestamp =>
  timestamp.custom((value: Date, helpers) => {
    const [{ [start]: from }] = helpers.state.ancestors as [Record<string, Date | undefined>];
    return from && value < from
      ? helpers.message({ custom: `{{#label}} must not be before ${start}` })
      : value;
  });

/** The end of a list's optional time range, whose start is the field `from`. */
export const rangeEnd = rangeEndField('from');

/** A member as `mem_…` or as the UUID of the same 128 bits; the result is `mem_…`. */
export const memberId = string
  .description('The id of a member: `mem_…`, or the UUID of the same 128 bits.')
  .meta({ json: { pattern: MEMBER_ID } })
  .custom((value: string, helpers) => {
    const id = asId('mem', value);
    return id ?? helpers.message({ custom: '{{#label}} must be a member id (mem_…)' });
  });

/**
 * A UUID in any case; the result is lower case. Only the form with hyphens: joi's own rule
 * accepts more than Postgres.
 */
export const uuid = string
  .pattern(UUID, 'a UUID')
  .meta({ json: { format: 'uuid' } })
  .custom((value: string) => value.toLowerCase());

/**
 * Each word is searched for in every row that contains the others, and a hundred characters could be fifty
 * words.
 */
const MAX_WORDS = 10;

/** A `q`: words of a search for people. */
export const searchText = text(100)
  .trim()
  .meta({ json: { pattern: wordsPattern(MAX_WORDS) } })
  .custom((value: string, helpers) =>
    value.split(/\s+/).length <= MAX_WORDS
      ? value
      : helpers.message({ custom: `{{#label}} must have at most ${MAX_WORDS} words` }),
  );

/** An email address, whose domain may be international. */
const anyEmail = text(254)
  .email({ tlds: false })
  .meta({ json: { format: 'idn-email', pattern: EMAIL, not: { type: 'string', pattern: LONG_LOCAL_PART } } });

/** An email address with a canonical form (docs/rules/members.md#mail-addresses). */
export const email = anyEmail.custom((value: string, helpers) =>
  // A text that is not an address has only the message of `anyEmail`.
  isCanonical(value) || anyEmail.validate(value).error
    ? value
    : helpers.message({
        custom: '{{#label}} must have only ASCII characters before the @, and a domain name after it',
      }),
);

/**
 * The name of a time zone in any letter case; `storedZone` checks and corrects it
 * (docs/rules/workspace.md#time-zones).
 */
export const timeZone = text(64)
  .meta({ json: { pattern: TIME_ZONE } })
  .custom((value: string, helpers) =>
    isZoneName(value) ? value : helpers.message({ custom: `{{#label}} ${ZONE_RULE}` }),
  );

const codes = [...PROCESSOR_CURRENCIES];
const CURRENCY = 'the ISO 4217 code of a currency that the payment processor accepts, such as GBP';

/**
 * An ISO 4217 code in any case; the result is upper case. The document has the codes in
 * capitals and in small letters.
 */
export const currency = string
  .meta({ json: { pattern: `^(${[...codes, ...codes.map((code) => code.toLowerCase())].join('|')})$` } })
  .custom((value: string, helpers) => {
    const code = value.toUpperCase();
    return PROCESSOR_CURRENCIES.has(code)
      ? code
      : helpers.message({ custom: `{{#label}} must be ${CURRENCY}` });
  });

/** A day: `2027-01-31`. */
export const date = typed<string, joi.StringSchema>(
  joi
    .string()
    .meta({ json: { format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } })
    .custom((value: string, helpers) => {
      const known = /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`);
      const exists = known && !Number.isNaN(known.getTime()) && known.toISOString().startsWith(value);
      return exists ? value : helpers.message({ custom: '{{#label}} must be a date such as 2027-01-31' });
    }),
);

/** The body of a request that takes no fields. */
export const emptyBody = object({}).required();
