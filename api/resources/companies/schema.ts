import joi from 'joi';
import type { PayerChanges } from '../../../domain/payer.js';
import { email, text } from '../../http/fields.js';
import { autopay, paymentTerms } from '../shared/payer-fields.js';

const name = text(200).trim().min(1);
const billing_email = email.allow(null);
const printed = {
  address: text(500)
    .trim()
    .allow(null)
    .description('The address printed on its invoices, in one or more lines.'),
  vat_number: text(50).trim().allow(null).description('The VAT number printed on its invoices.'),
};

/** Body of `POST /v1/companies`. */
export const createSchema = joi
  .object({
    name: name.required().description('The name of the company.'),
    billing_email: billing_email.description('The email address that receives its invoices.'),
    ...printed,
    ...paymentTerms,
  })
  .required();
export interface CreateBody extends Omit<PayerChanges, 'autopay'> {
  name: string;
  billing_email?: string | null;
  address?: string | null;
  vat_number?: string | null;
}

/** Body of `PATCH /v1/companies/{id}`. */
export const updateSchema = joi
  .object({
    name: name.description('The new name.'),
    billing_email: billing_email.description('The new email address that receives its invoices.'),
    ...printed,
    ...paymentTerms,
    autopay,
  })
  .min(1)
  .required();
export type UpdateBody = Partial<CreateBody> & PayerChanges;
