import test from 'ava';
import { mergeFacts, type RouteFacts } from '../../api/http/route-facts.js';
import type { Typed } from '../../api/http/typed.js';
import { validate } from '../../api/http/validate.js';
import { ApiError } from '../../domain/errors.js';
import { router } from '../support/described-api.js';

const NUL = 'a\0b';
const NO_TEXT = [NUL, 'a\ud800b'];
const NO_STRING = [1, true, {}, [], null];
const NO_TIME = [
  ...NO_STRING,
  '',
  'tomorrow',
  '2027-03-01',
  '2027-03-01T10:00:00', // no zone
  '2027-03-01 10:00:00Z',
  '2027-02-30T10:00:00Z',
  '2027-13-01T10:00:00Z',
  '2027-03-01T25:00:00Z',
  '2027-03-01T10:00:00+99:00',
  '1969-12-31T23:00:00Z',
  '1970-01-01T00:00:00+05:00', // 1969 in UTC
  '9999-12-31T23:59:59-05:00', // 10000 in UTC
  '+012027-03-01T10:00:00Z',
  ...NO_TEXT,
];
const UUID = '0f4b3a56-7c3f-4f0e-8a57-3c8d0d8f4b11';
const NO_UUID = [
  ...NO_STRING,
  '',
  'room',
  `{${UUID}}`,
  `[${UUID}]`,
  UUID.replaceAll('-', ':'),
  UUID.replaceAll('-', ''),
  `${UUID}0`,
  ...NO_TEXT,
];
const NO_MEMBER = [
  ...NO_STRING,
  '',
  'mem_',
  'mem_1',
  `bk_${'0'.repeat(26)}`,
  `mem_${'z'.repeat(26)}`,
  ...NO_TEXT,
];
const NO_COUNT = ['1', true, {}, [], null, 0, -1, 1.5, 1e9, 1e300];
const NO_NAME = [...NO_STRING, '', ' ', 'n'.repeat(201), ...NO_TEXT];
const NO_EMAIL = [
  ...NO_STRING,
  '',
  'ada',
  'ada@',
  '@example.com',
  'a b@example.com',
  `${'a'.repeat(250)}@example.com`,
  ...NO_TEXT,
];

/** Fields of a create (paths with dots), with values that are refused. */
const CREATE_FIELDS: Record<string, unknown[]> = {
  room_id: NO_UUID,
  resource_id: NO_UUID,
  start_at: NO_TIME,
  end_at: NO_TIME,
  duration_minutes: [...NO_COUNT, 527_041],
  booked_by: ['ada', 1, true, [], null],
  'booked_by.member_id': NO_MEMBER,
  'booked_by.guest': ['ada', 1, true, [], null],
  'booked_by.guest.email': NO_EMAIL,
  'booked_by.guest.name': NO_NAME,
  'booked_by.guest.phone': ['1'],
  'booked_by.colour': ['red'],
  member_id: NO_MEMBER,
  idempotency_key: NO_UUID,
  notes: [1, true, {}, [], 'n'.repeat(5_001), ...NO_TEXT],
  attendees: [...NO_COUNT, 100_001],
  colour: ['red', null, {}],
  status: ['confirmed'],
};

/** Filters of a list, with values that are refused. */
const LIST_FIELDS: Record<string, string[]> = {
  from: ['', 'now', '2027-03-01', '2027-03-01T10:00:00', '2027-02-30T10:00:00Z', '1969-01-01T00:00:00Z', NUL],
  to: ['', 'now', '9999-12-31T23:59:59-05:00', '2027-03-01T10:00:00', '2027-04-31T10:00:00Z'],
  'start_at[gte]': ['', '2027-03-01T10:00:00'],
  'start_at[lt]': ['', '2027-03-01T10:00:00'],
  status: ['', 'paid', 'Confirmed', 'confirmed,expired'],
  room_id: ['', 'room', `{${UUID}}`, UUID.replaceAll('-', ':'), NUL],
  member_id: ['', 'mem_1', 'ada', NUL],
  company_id: ['', 'company', UUID.replaceAll('-', ':')],
  limit: ['0', '201', '-1', '1.5', 'ten', '', '1e9', 'NaN', 'Infinity'],
  cursor: ['', NUL, 'c'.repeat(501)],
  q: ['', ' ', '\t \n', NUL, 'g'.repeat(101)],
  colour: ['red'],
  page: ['2'],
};

/** An object with the value at `path`. */
const withField = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);

/** The facts of the bookings route with this method. */
const factsFor = (method: string): RouteFacts =>
  mergeFacts(
    router.stack.find(({ methods, path }) => methods.includes(method) && path === '/v1/bookings')!.stack,
  );

/** The fields named in a refusal, the first one first. */
function namedIn(schema: Typed<unknown>, value: unknown, convert: boolean): string[] {
  try {
    validate(schema, value, convert);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
    return (error.context.errors ?? []).flatMap(({ param }) => param ?? []);
  }
  return [];
}

for (const [what, schema, fields, isQuery] of [
  ['a create', factsFor('POST').body, CREATE_FIELDS, false],
  ['a list', factsFor('GET').query, LIST_FIELDS, true],
] as const)
  test(`${what} with an invalid field is refused, and the error names the field`, (t) => {
    for (const [field, values] of Object.entries(fields))
      for (const value of values) {
        const named = namedIn(schema as Typed<unknown>, withField(field, value), isQuery);
        t.true(
          named.includes(field),
          `${field} = ${JSON.stringify(value)?.slice(0, 60)} names ${named.join(', ')}`,
        );
      }
  });
