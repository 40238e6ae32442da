import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { text, timestamp } from '../../http/fields.js';

export const isBlackoutId = (id: string): boolean => isId('bo', id);

/** Body of `POST /v1/rooms/{id}/blackouts`. */
export const createSchema = joi
  .object({
    start_at: timestamp.required().description('The start of the blackout, inclusive.'),
    end_at: timestamp.required().description('The end of the blackout, exclusive.'),
    reason: text(1_000).allow(null, '').description('The reason, visible to staff.'),
    force: joi
      .boolean()
      .default(false)
      .description('Whether to create the blackout although it overlaps bookings. The bookings are kept.'),
  })
  .required();
export interface CreateBody {
  start_at: Date;
  end_at: Date;
  reason?: string | null;
  force: boolean;
}
