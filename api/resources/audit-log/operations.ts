import joi from 'joi';
import { asId, isId } from '../../../db/ids.js';
import { listAuditLog as find, type ActorFilter } from '../../../db/queries/audit-log/audit.js';
import { presentAuditEntry } from '../../../domain/audit-log/presenter.js';
import { pageFields } from '../../http/cursor.js';
import { rangeEnd, text, timestamp } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { operation } from '../../http/operation.js';
import { ACTOR } from '../../http/patterns.js';
import { either, nullable, object, oneOf, optional, string, typed } from '../../http/typed.js';
import { EXAMPLE_MEMBER_ID } from '../members/operations.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant, examplePage } from '../shared/examples.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

/** The id of an entry is a bigint. */
export const isEntryId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);

const actor = either(
  s.shape({
    member_id: s.prefixedId('mem').description('The member who acted.'),
    key_id: nullable(s.prefixedId('key')).description(
      'The key that the member used. Null for the dashboard.',
    ),
  }),
  s
    .shape({
      guest: s.prefixedId('bk').description('The booking.'),
      via: optional(oneOf(['manage_link'] as const)).description(
        'Shows that the manage link of the booking was used, which does not prove who used it. ' +
          'Absent in older entries.',
      ),
    })
    .description('A person who used the manage link of this booking.'),
  s.shape({
    system: string.description('The part of the service that acted automatically, or `operator`.'),
    operator: optional(string).description('The person who operates the service, if they gave their name.'),
  }),
);

export const auditEntry = s.presentedBy(
  presentAuditEntry,
  s.shape('AuditEntry', {
    id: string.description('The id of the entry, an increasing number.'),
    at: s.instant.description('The time of the action.'),
    action: string.description('What was done, such as `workspace.updated`.'),
    actor: actor.description('Who performed the action.'),
    object: string.description('The id of the affected object.'),
    details: s.anyObject.description('Details of the action, such as the values before and after.'),
  }),
);

/**
 * The actor of `GET /v1/audit-log`: `mem_…` (or the UUID of the same 128 bits), `key_…`, `guest` or `system`.
 */
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

const example = {
  id: '4711',
  at: exampleInstant(0, 12),
  action: 'workspace.updated',
  actor: { member_id: EXAMPLE_MEMBER_ID, key_id: null },
  object: EXAMPLE_WORKSPACE_ID,
  details: { before: { checkout_hold_seconds: 1800 }, after: { checkout_hold_seconds: 900 } },
};

export const listAuditLog = operation({
  route: 'GET /v1/audit-log',
  summary: 'List the audit log',
  id: 'listAuditEntries',
  description:
    'Returns entries by time, newest first. `actor` filters by the id of a member or a key, `guest` ' +
    'for changes made with the manage link of a booking, or `system`. For a revoked key or grant, ' +
    '`details.revoker_profile_id` is the profile of the person who revoked it, and `details.reason` ' +
    'is the cause: `revoked_by_member`, `member_archived`, `member_deleted`, `member_promoted`, ' +
    '`address_changed` or `ownership_transferred`, and for a grant also `revoked_by_client` or ' +
    '`reuse_detected`.',
  scope: 'workspace:read',
  capability: 'read_audit_log',
  query: object({
    from: timestamp.description('The start of the time range, inclusive.'),
    to: rangeEnd.description('The end of the time range, exclusive.'),
    action: text(100).description('Returns only entries with this action, such as `workspace.updated`.'),
    actor: actorFilter.description(
      'Returns only actions of this actor: a member id, a key id, `guest` or `system`.',
    ),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(auditEntry) },
  examples: { query: { action: 'workspace.updated' }, response: examplePage(example) },
  run: ({ query: { cursor, limit, ...filter } }, { workspace_id }, { db }) =>
    listPage(
      { cursor, limit },
      {
        by: 'at',
        list: { name: 'audit_log', isId: isEntryId },
        find: (page) => find(db.manager, { workspace_id, ...filter, ...page }),
        present: presentAuditEntry,
      },
    ),
});

/** The audit log, newest first (docs/rules/credentials.md#audit-log). */
export const auditLog: Resource = {
  tag: 'Workspace',
  operations: [listAuditLog],
};
