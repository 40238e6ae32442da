import { payerShape } from '../resource/payer-fields.js';
import * as s from '../resource/shapes.js';

/** A company as `presentCompany` returns it. */
export const company = s.shape({
  id: s.anyUuid,
  name: s.anyText,
  billing_email: s.nullableText,
  ...payerShape,
});
