import joi from 'joi';
import { TIERS, type Tier } from '../../../domain/price.js';
import { timestamp, uuid } from '../../http/fields.js';

/** Query of `GET /v1/availability`: a room, or all rooms that a tier can book. */
export const querySchema = joi
  .object({
    room_id: uuid.description('The room.'),
    tier: joi
      .string()
      .valid(...TIERS)
      .description('A tier, for all rooms that it can book.'),
    from: timestamp.required().description('The start of the time range, inclusive.'),
    to: timestamp
      .required()
      .description('The end of the time range, exclusive; at most 31 days after `from`.'),
  })
  .xor('room_id', 'tier');

export interface Query {
  room_id?: string;
  tier?: Tier;
  from: Date;
  to: Date;
}
