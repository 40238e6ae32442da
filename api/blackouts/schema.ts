import joi from 'joi';
import { isId } from '../../db/ids.js';
import { text, timestamp } from '../http/fields.js';

export const isBlackoutId = (id: string): boolean => isId('bo', id);

/** Body of `POST /v1/rooms/{id}/blackouts`. */
export const createSchema = joi
  .object({
    start_at: timestamp.required(),
    end_at: timestamp.required(),
    reason: text(1_000).allow(null, ''),
    force: joi.boolean().default(false),
  })
  .required();
export interface CreateBody {
  start_at: Date;
  end_at: Date;
  reason?: string | null;
  force: boolean;
}
