import { payerShape } from '../shared/payer-fields.js';
import * as s from '../shared/shapes.js';

/** A company as `presentCompany` returns it. */
export const company = s.shape({
  id: s.anyUuid.description('The id of the company.'),
  name: s.anyText.description('The name of the company.'),
  billing_email: s.nullableText.description('The email address that receives its invoices.'),
  address: s.nullableText.description('The address printed on its invoices, in one or more lines.'),
  vat_number: s.nullableText.description('The VAT number printed on its invoices.'),
  ...payerShape,
});
