import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { KNOWN_EVENT_TYPES, type EventType } from '../../../domain/events.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { rangeEnd, timestamp } from '../../http/fields.js';

export const isEventId = (id: string): boolean => isId('evt', id);

/** Query of `GET /v1/events`. */
export const listSchema = joi.object({
  type: joi
    .string()
    .valid(...KNOWN_EVENT_TYPES)
    .description('Returns only events of this type.'),
  from: timestamp.description('Returns only events created at or after this time.'),
  to: rangeEnd.description('Returns only events created before this time.'),
  ...pageFields,
});
export interface ListQuery extends PageQuery {
  type?: EventType;
  from?: Date;
  to?: Date;
}
