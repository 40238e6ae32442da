import joi from 'joi';
import { TIERS, type Tier } from '../../domain/price.js';
import { timestamp, uuid } from '../http/fields.js';

/** Query of `GET /v1/availability`: a room, or all rooms that a tier can book. */
export const querySchema = joi
  .object({
    room_id: uuid,
    tier: joi.string().valid(...TIERS),
    from: timestamp.required(),
    to: timestamp.required(),
  })
  .xor('room_id', 'tier');

export interface Query {
  room_id?: string;
  tier?: Tier;
  from: Date;
  to: Date;
}
