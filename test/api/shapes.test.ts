import test from 'ava';
import { currency, email, text, timestamp, uuid } from '../../api/http/fields.js';
import { array, boolean, integer, nullable, number, object, oneOf } from '../../api/http/typed.js';
import { toJsonSchema } from '../../api/openapi/json-schema.js';
import { field, splitSides } from '../../api/resources/shared/field.js';
import * as s from '../../api/resources/shared/shapes.js';

test('responses have a declared field without the limits of requests', (t) => {
  const { read } = splitSides({
    name: field(text(20).trim().min(1), 'A name.'),
    email: field(nullable(email), 'An address.'),
    at: field(timestamp, 'A time.'),
    id: field(uuid, 'An id.'),
    length: field(integer.min(1).max(9), 'A number that is never negative.'),
    balance: field(nullable(integer.max(9)), 'A number.'),
    percent: field(number.min(0).max(100), 'A share.'),
    tiers: field(nullable(array(oneOf(['basic', 'pro'])).max(3)), 'Some of these.'),
    steps: field(array(object({ hours: integer.min(0).max(9).description('Hours.') }, 'hours')), 'Steps.'),
    open: field(boolean, 'Whether it is open.'),
  });
  t.deepEqual(toJsonSchema(s.shape(read)).properties, {
    name: { type: 'string', description: 'A name.' },
    email: { type: ['string', 'null'], description: 'An address.' },
    at: { type: 'string', format: 'date-time', minLength: 1, description: 'A time.' },
    id: { type: 'string', format: 'uuid', minLength: 1, description: 'An id.' },
    length: { type: 'integer', minimum: 0, description: 'A number that is never negative.' },
    balance: { type: ['integer', 'null'], description: 'A number.' },
    percent: { type: 'number', description: 'A share.' },
    tiers: {
      type: ['array', 'null'],
      items: { type: 'string', enum: ['basic', 'pro'] },
      description: 'Some of these.',
    },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { hours: { type: 'integer', minimum: 0, description: 'Hours.' } },
        required: ['hours'],
        additionalProperties: false,
      },
      description: 'Steps.',
    },
    open: { type: 'boolean', description: 'Whether it is open.' },
  });
});

test('a field has its own schema in responses, and its own description in requests, where they differ', (t) => {
  const { sent, read } = splitSides({
    currency: field(currency, 'The currency.', { sent: 'The new currency.', read: s.currencyCode }),
  });
  t.is(toJsonSchema(object(sent)).properties!.currency!.description, 'The new currency.');
  t.like(toJsonSchema(s.shape(read)).properties!.currency!, {
    description: 'The currency.',
    pattern: '^[A-Z]{3}$',
  });
});
