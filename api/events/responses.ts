import joi from 'joi';
import { EVENT_TYPES, OPT_IN_EVENT_TYPES, TEST_EVENT_TYPE, type EventType } from '../../domain/events.js';
import { booking } from '../bookings/responses.js';
import { invoice } from '../invoices/responses.js';
import { member } from '../members/responses.js';
import * as s from '../openapi/shapes.js';
import { payment } from '../payments/responses.js';
import { webhookEndpoint } from '../webhook-endpoint/responses.js';

const deliveries = joi.array().items(
  s.shape({
    attempt: s.count,
    at: s.instant,
    status_code: s.integer.allow(null),
    duration_ms: s.count.allow(null),
    error: s.nullableText,
    response_excerpt: s.nullableText,
  }),
);

/** Who has been erased is in no event any more. */
const memberOrNobody = member.keys({ name: s.nullableText.required(), email: s.nullableText.required() });
const erased = s.shape({ id: s.idOf('mem'), deleted: joi.valid(true) });

const OBJECTS: Record<string, joi.Schema> = {
  booking,
  member: memberOrNobody,
  invoice,
  payment,
  webhook: webhookEndpoint,
};

const body = (type: joi.Schema, object: joi.Schema) =>
  s.shape({
    id: s.idOf('evt'),
    type,
    created_at: s.instant,
    workspace_id: s.idOf('ws'),
    sequence: s.integer.min(1),
    data: s.shape({ object, previous: s.anyObject.optional() }),
  });

/** What a receiver is sent of a type (decisions.md, "Events"). */
export const eventOf = (type: EventType): joi.ObjectSchema =>
  body(s.oneOf([type]), type === 'member.deleted' ? erased : OBJECTS[type.split('.')[0]!]!);

const types = [...EVENT_TYPES, ...OPT_IN_EVENT_TYPES, TEST_EVENT_TYPE];

/** Any event; `deliveries` where it is asked for by its id. */
export const event = body(
  s.oneOf(types),
  joi.alternatives(booking, memberOrNobody, invoice, payment, webhookEndpoint, erased),
).keys({ deliveries: deliveries.optional() });
