import joi from 'joi';
import type { PayerChanges } from '../../domain/payer.js';
import { email, text } from '../http/fields.js';
import { autopay, paymentTerms } from '../resource/payer-fields.js';

const name = text(200).trim().min(1);
const billing_email = email.allow(null);

/** Body of `POST /v1/companies`. */
export const createSchema = joi.object({ name: name.required(), billing_email, ...paymentTerms }).required();
export interface CreateBody extends Omit<PayerChanges, 'autopay'> {
  name: string;
  billing_email?: string | null;
}

/** Body of `PATCH /v1/companies/{id}`. */
export const updateSchema = joi
  .object({ name, billing_email, ...paymentTerms, autopay })
  .min(1)
  .required();
export type UpdateBody = Partial<CreateBody> & PayerChanges;
