import joi from 'joi';
import { asId, isId } from '../../../db/ids.js';
import type { ActorFilter } from '../../../db/queries/audit-log/audit.js';
import { presentAuditEntry } from '../../../domain/audit-log/presenter.js';
import { pageFields } from '../../http/cursor.js';
import { rangeEnd, text, timestamp } from '../../http/fields.js';
import { ACTOR } from '../../http/patterns.js';
import { either, nullable, object, oneOf, optional, string, typed } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** The id of an entry is a bigint. */
export const isEntryId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);

const actor = either(
  s.shape({
    member_id: s.idOf('mem').description('The member who acted.'),
    key_id: nullable(s.idOf('key')).description('The key that the member used. Null for the dashboard.'),
  }),
  s
    .shape({
      guest: s.idOf('bk').description('The booking.'),
      via: optional(oneOf(['manage_link'] as const)).description(
        'The manage link of the booking was used. That does not prove who used it. Missing in older entries.',
      ),
    })
    .description('Whoever used the manage link of this booking.'),
  s.shape({
    system: string.description('The part of the service that acted automatically, or `operator`.'),
    operator: optional(string).description('The person who operates the service, if they gave their name.'),
  }),
);

/** An entry in responses. */
export const auditEntry = s.presentedBy(
  presentAuditEntry,
  s.shape({
    id: string.description('The id of the entry, an increasing number.'),
    at: s.instant.description('The time of the action.'),
    action: string.description('What was done, such as `workspace.updated`.'),
    actor: actor.description('Who did it.'),
    object: string.description('The id of the affected object.'),
    details: s.anyObject.description('Details of the action, such as the values before and after.'),
  }),
);

/** `mem_…` (or the UUID of the same 128 bits), `key_…`, `guest` or `system`. */
const actorFilter = typed<ActorFilter>(
  joi
    .string()
    .meta({ json: { pattern: ACTOR } })
    .custom((value: string, helpers): ActorFilter | joi.ErrorReport => {
      if (value === 'system' || value === 'guest') return value;
      if (isId('key', value)) return { key_id: value };
      const member_id = asId('mem', value);
      if (member_id) return { member_id };
      return helpers.message({
        custom: '{{#label}} must be a member id (mem_…), a key id (key_…), guest or system',
      });
    }),
);

/** Query of `GET /v1/audit-log`. */
export const listSchema = object({
  from: timestamp.description('The start of the time range, inclusive.'),
  to: rangeEnd.description('The end of the time range, exclusive.'),
  action: text(100).description('Returns only entries with this action, such as `workspace.updated`.'),
  actor: actorFilter.description(
    'Returns only actions of this actor: a member id, a key id, `guest` or `system`.',
  ),
  ...pageFields,
});
