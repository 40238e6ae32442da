import joi from 'joi';
import test from 'ava';
import { createSchema } from '../../api/resources/bookings/request.js';
import { createInvoice } from '../../api/resources/invoices/operations.js';
import { typed, type Typed } from '../../api/http/typed.js';
import { validate } from '../../api/http/validate.js';
import { ApiError } from '../../domain/errors.js';

const listFieldErrors = (schema: Typed<unknown>, value: unknown): [string | undefined, string][] => {
  try {
    validate(schema, value, false);
  } catch (error) {
    return (error as ApiError).context.errors!.map(({ param, message }) => [param, message]);
  }
  return [];
};

const BOOKING = {
  room_id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4b70',
  start_at: '2027-03-01T10:00:00Z',
  end_at: '2027-03-01T11:00:00Z',
  booked_by: { guest: { email: 'ada@example.com', name: 'Ada' } },
  idempotency_key: '5f0c1d6a-3b1e-4f0e-9a7e-1f4b8c2d7e90',
};
const LINE = { description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' };
const INVOICE = { company_id: BOOKING.room_id, currency: 'GBP', due_at: BOOKING.start_at, lines: [LINE] };

test('the error about an unknown field suggests the field that was probably meant', (t) => {
  const near = (name: string) => listFieldErrors(createSchema, { ...BOOKING, [name]: 1 })[0]![1];
  for (const [sent, meant] of [
    ['strat_at', 'start_at'],
    ['startAt', 'start_at'],
    ['atendees', 'attendees'],
    ['duration', 'duration_minutes'],
    ['idempotency-key', 'idempotency_key'],
  ])
    t.is(near(sent!), `Unknown field \`${sent}\`; did you mean \`${meant}\`?`);
  for (const sent of ['colour', 'a', 'x'.repeat(100_000), '__defineGetter__'])
    t.is(near(sent), `Unknown field \`${sent}\``);
  const inLine = listFieldErrors(createInvoice.body!, {
    ...INVOICE,
    lines: [LINE, { ...LINE, taxcode: 'ZERO' }],
  });
  t.deepEqual(inLine, [['lines.1.taxcode', 'Unknown field `lines.1.taxcode`; did you mean `tax_code`?']]);
  const inGuest = { guest: { ...BOOKING.booked_by.guest, mail: 'ada@example.com' } };
  t.is(
    listFieldErrors(createSchema, { ...BOOKING, booked_by: inGuest })[0]![1],
    'Unknown field `booked_by.guest.mail`; did you mean `email`?',
  );
});

test('an error without a message of its own does not show the validator’s message', (t) => {
  const schema = joi.object({
    code: joi.string().pattern(/^[a-z]{3}\d+$/),
    at: joi.string().isoDate(),
    either: joi.alternatives(joi.number(), joi.boolean()),
    custom: joi.any().custom(() => {
      throw new Error('a secret of the code');
    }),
  });
  t.deepEqual(listFieldErrors(typed(schema), { code: '?', at: '?', either: '?', custom: 1 }), [
    ['code', 'code is invalid'],
    ['at', 'at is invalid'],
    ['either', 'either is invalid'],
    ['custom', 'custom is invalid'],
  ]);
});
