import { presentCompany } from '../../../domain/presenters/company.js';
import { email, text } from '../../http/fields.js';
import { nullable, object, type Infer } from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import { card, payer } from '../shared/payer-fields.js';
import * as s from '../shared/shapes.js';

const { sent, read } = sidesOf({
  name: field(name, 'The name of the company.'),
  billing_email: field(nullable(email), 'The email address that receives its invoices.'),
  address: field(nullable(text(500).trim()), 'The address printed on its invoices, in one or more lines.'),
  vat_number: field(nullable(text(50).trim()), 'The VAT number printed on its invoices.'),
});

/** A company in responses. */
export const company = s.presentedBy(
  presentCompany,
  s.shape({ id: s.anyUuid.description('The id of the company.'), ...read, ...payer.read, card }),
);

export const EXAMPLE_COMPANY_ID = '019a3c5e-9d02-7f16-8c3e-51b7a0d94e21';

/** An example of a company, in the document. */
export const northwind = {
  id: EXAMPLE_COMPANY_ID,
  name: 'Northwind Ltd',
  billing_email: 'accounts@northwind.example',
  address: '12 Mill Lane\nBristol BS1 4ND',
  vat_number: 'GB 123 4567 89',
  payment_terms: 30,
  credit_limit_minor: null,
  monthly_statement: true,
  autopay: false,
  card: null,
};

const { autopay, ...terms } = payer.sent;

/** Body of `POST /v1/companies`. */
export const createSchema = object({ ...sent, ...terms }, 'name').required();
export type CreateBody = Infer<typeof createSchema>;

/** Body of `PATCH /v1/companies/{id}`. */
export const updateSchema = object({ ...sent, ...terms, autopay })
  .min(1)
  .required();
export type UpdateBody = Infer<typeof updateSchema>;
