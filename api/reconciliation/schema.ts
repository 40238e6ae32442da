import joi from 'joi';
import { timestamp } from '../http/fields.js';

/** Query of `GET /v1/reconciliation`. */
export const querySchema = joi.object({ from: timestamp.required(), to: timestamp.required() });
export interface Query {
  from: Date;
  to: Date;
}
