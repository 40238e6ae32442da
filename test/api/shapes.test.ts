import test from 'ava';
import { currency, email, text, timestamp, uuid } from '../../api/http/fields.js';
import {
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  oneOfFixed,
} from '../../api/http/typed.js';
import { createWriter } from '../../api/openapi/components.js';
import { toJsonSchema } from '../../api/openapi/json-schema.js';
import { field, splitSides } from '../../api/resources/shared/field.js';
import * as s from '../../api/resources/shared/shapes.js';

test('responses declare a field without the limits of requests', (t) => {
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

test('responses can grow: they are open, and may get other values later, unless those are fixed', (t) => {
  const { sent, read } = splitSides({
    tier: field(oneOf(['basic', 'pro']), 'A tier.'),
    language: field(nullable(oneOf(['de', 'en'])), 'A language.'),
    day: field(oneOfFixed(['mon', 'tue']), 'A day.'),
    slot: field(object({ unit: oneOf(['hour', 'day']) }), 'A slot.'),
  });
  const body = toJsonSchema(object(sent));
  t.is(body.additionalProperties, false);
  t.like(body.properties, {
    tier: { enum: ['basic', 'pro'] },
    language: { enum: ['de', 'en', null] },
    day: { enum: ['mon', 'tue'] },
    slot: { additionalProperties: false, properties: { unit: { enum: ['hour', 'day'] } } },
  });
  t.deepEqual(toJsonSchema(s.shape(read), { grows: true }), {
    type: 'object',
    properties: {
      tier: { type: 'string', 'x-extensible-enum': ['basic', 'pro'], description: 'A tier.' },
      language: {
        type: ['string', 'null'],
        'x-extensible-enum': ['de', 'en'],
        description: 'A language.',
      },
      day: { type: 'string', enum: ['mon', 'tue'], description: 'A day.' },
      slot: {
        type: 'object',
        properties: { unit: { type: 'string', 'x-extensible-enum': ['hour', 'day'] } },
        description: 'A slot.',
      },
    },
    required: ['day', 'language', 'slot', 'tier'],
  });
});

test('a named schema is a component, with a description for each place it is used', (t) => {
  const writer = createWriter();
  const room = s.shape('Named', { name: s.anyText });
  const schema = s.shape({
    one: room.description('One.'),
    none: nullable(room),
    many: array(room),
    more: s.extend('More', room, { size: s.count }),
  });
  const ref = { $ref: '#/components/schemas/Named' };
  t.like(writer.response(schema).properties, {
    one: { ...ref, description: 'One.' },
    none: { anyOf: [ref, { type: 'null' }] },
    many: { items: ref },
    more: { $ref: '#/components/schemas/More' },
  });
  t.deepEqual(Object.keys(writer.schemas()), ['More', 'Named']);
  const sent = object({ name: s.anyText }).meta({ component: 'Named' });
  t.deepEqual(writer.request(object({ one: sent })).properties!.one, {
    $ref: '#/components/schemas/NamedInput',
  });
  t.is(writer.schemas().NamedInput!.additionalProperties, false);
  t.throws(() => writer.response(s.shape('Named', { size: s.count })), { message: /Two schemas/ });
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
