import joi from 'joi';
import { timestamp } from '../../http/fields.js';

/** Query of `GET /v1/reconciliation`. */
export const querySchema = joi.object({
  from: timestamp.required().description('Includes invoices created at or after this time.'),
  to: timestamp
    .required()
    .description('Includes invoices created before this time; at most 92 days after `from`.'),
});
export interface Query {
  from: Date;
  to: Date;
}
