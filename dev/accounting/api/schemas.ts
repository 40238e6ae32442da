import joi, { type ObjectSchema } from 'joi';
import type { ContactInput } from '../bookkeeping/contacts.js';
import type { DocumentInput } from '../bookkeeping/documents.js';

const text = (most: number) => joi.string().allow('').max(most);
const amount = () => joi.number().unsafe().max(9_999_999_999.99).min(-9_999_999_999.99);
/**
 * Parameters that Xero has and the simulator doesn't. They are rejected, so that no caller relies on their
 * effect.
 */
const unsimulated = () =>
  joi.forbidden().messages({ 'any.unknown': 'The accounting simulator does not simulate {#label}' });

export const CONTACT: ObjectSchema<ContactInput> = joi.object({
  ContactID: joi.string().guid(),
  ContactNumber: text(50),
  Name: text(255),
  FirstName: text(255),
  LastName: text(255),
  EmailAddress: text(255),
  ContactStatus: joi.valid('ACTIVE', 'ARCHIVED'),
});

const LINE = joi.object({
  LineItemID: joi.string().guid(),
  Description: text(4000),
  Quantity: amount(),
  UnitAmount: amount(),
  LineAmount: amount(),
  TaxType: text(50),
  TaxAmount: amount(),
  AccountCode: text(10),
  AccountID: unsimulated(),
  ItemCode: unsimulated(),
  DiscountRate: unsimulated(),
  DiscountAmount: unsimulated(),
});

const DOCUMENT = joi.object({
  Type: text(20),
  Reference: text(255),
  Contact: CONTACT,
  Date: text(50),
  DueDate: text(50),
  Status: joi.valid('DRAFT', 'SUBMITTED', 'AUTHORISED', 'PAID', 'VOIDED', 'DELETED'),
  LineAmountTypes: joi.valid('Exclusive', 'Inclusive', 'NoTax'),
  LineItems: joi.array().items(LINE),
  CurrencyCode: joi.string().length(3).uppercase(),
  CurrencyRate: joi.number().positive(),
  SentToContact: joi.boolean(),
  RoundingAmount: unsimulated(),
});

export const INVOICE: ObjectSchema<DocumentInput> = DOCUMENT.keys({
  id: joi.string().guid(),
  number: text(255).empty(''),
  Url: joi.string().uri(),
})
  .rename('InvoiceID', 'id')
  .rename('InvoiceNumber', 'number');

export const CREDIT_NOTE: ObjectSchema<DocumentInput> = DOCUMENT.keys({
  id: joi.string().guid(),
  number: text(255).empty(''),
})
  .rename('CreditNoteID', 'id')
  .rename('CreditNoteNumber', 'number');

interface Named {
  InvoiceID?: string;
  InvoiceNumber?: string;
  CreditNoteID?: string;
  CreditNoteNumber?: string;
}

export interface PaymentBody {
  Invoice?: Named;
  CreditNote?: Named;
  InvoiceNumber?: string;
  CreditNoteNumber?: string;
  Account?: { AccountID?: string; Code?: string };
  Code?: string;
  Date?: string;
  Amount: number;
  CurrencyRate?: number;
  Reference?: string;
}

const NAMED = joi.object({
  InvoiceID: joi.string().guid(),
  InvoiceNumber: text(255),
  CreditNoteID: joi.string().guid(),
  CreditNoteNumber: text(255),
});

export const PAYMENT: ObjectSchema<PaymentBody> = joi.object({
  Invoice: NAMED,
  CreditNote: NAMED,
  InvoiceNumber: text(255),
  CreditNoteNumber: text(255),
  Account: joi.object({ AccountID: joi.string().guid(), Code: text(10) }),
  Code: text(10),
  Date: text(50),
  Amount: amount().required(),
  CurrencyRate: joi.number().positive(),
  Reference: text(255),
});

export const PAYMENT_DELETION: ObjectSchema<{ Status: 'DELETED' }> = joi.object({
  Status: joi.valid('DELETED').required(),
});

export const ALLOCATION: ObjectSchema<{ Amount: number; Date?: string; Invoice: Named }> = joi.object({
  Amount: amount().required(),
  Date: text(50),
  Invoice: NAMED.required(),
});

export interface TaxRateBody {
  Name: string;
  TaxType?: string;
  ReportTaxType?: string;
  TaxComponents: { Name: string; Rate: number }[];
}

export const TAX_RATE: ObjectSchema<TaxRateBody> = joi.object({
  Name: joi.string().max(50).required(),
  TaxType: text(20),
  ReportTaxType: text(50),
  TaxComponents: joi
    .array()
    .items(joi.object({ Name: joi.string().required(), Rate: joi.number().min(0).max(100).required() }))
    .min(1)
    .required(),
});
