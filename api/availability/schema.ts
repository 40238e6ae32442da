import joi from 'joi';
import { TIERS, type Tier } from '../../domain/price.js';
import { timestamp, uuid } from '../http/validate.js';

/** Query of `GET /v1/availability`: a room, or all that a tier may book. */
export const availabilitySchema = joi
  .object({
    room_id: uuid,
    tier: joi.string().valid(...TIERS),
    from: timestamp.required(),
    to: timestamp.required(),
  })
  .xor('room_id', 'tier');

export interface AvailabilityQuery {
  room_id?: string;
  tier?: Tier;
  from: Date;
  to: Date;
}
