import joi from 'joi';
import { asId, isId } from '../../../db/ids.js';
import type { ActorFilter } from '../../../db/queries/workspaces/audit.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { text, rangeEnd, timestamp } from '../../http/fields.js';

/** `mem_…` (or the UUID of the same 128 bits), `key_…`, `guest` or `system`. */
const actor = joi.string().custom((value: string, helpers): ActorFilter | joi.ErrorReport => {
  if (value === 'system' || value === 'guest') return value;
  if (isId('key', value)) return { key_id: value };
  const member_id = asId('mem', value);
  if (member_id) return { member_id };
  return helpers.message({
    custom: '{{#label}} must be a member id (mem_…), a key id (key_…), guest or system',
  });
});

/** Query of `GET /v1/audit-log`. */
export const listSchema = joi.object({
  from: timestamp.description('The start of the time range, inclusive.'),
  to: rangeEnd.description('The end of the time range, exclusive.'),
  action: text(100).description('Returns only entries with this action, such as `workspace.updated`.'),
  actor: actor.description('Returns only actions of this actor: a member id, a key id, `guest` or `system`.'),
  ...pageFields,
});
export interface ListQuery extends PageQuery {
  from?: Date;
  to?: Date;
  action?: string;
  actor?: ActorFilter;
}

/** The id of an entry is a bigint. */
export const isEntryId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);
