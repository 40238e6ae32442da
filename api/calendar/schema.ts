import joi from 'joi';
import { memberId, timestamp, uuid } from '../http/fields.js';

/** Query of `GET /v1/calendar.ics`. */
export const querySchema = joi.object({ from: timestamp, to: timestamp, room_id: uuid, member_id: memberId });
export interface Query {
  from?: Date;
  to?: Date;
  room_id?: string;
  member_id?: string;
}
