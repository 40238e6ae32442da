import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { MANUAL_METHODS, type ManualMethod } from '../../../commands/billing/invoice-payments.js';
import type { LineRequest } from '../../../domain/invoice.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../../../domain/states.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { currency, memberId, text, rangeEnd, timestamp, uuid } from '../../http/fields.js';

const MAX_UNIT_MINOR = 9_999_999_999;

const line = (unitAmount: joi.NumberSchema) =>
  joi.object({
    description: text(1_000)
      .trim()
      .min(1)
      .required()
      .description('A description of what is charged, as shown on the invoice.'),
    quantity: joi
      .number()
      .greater(0)
      .max(1_000_000)
      .precision(4)
      .required()
      .description('The quantity, with at most 4 decimal places.'),
    unit_amount_minor: unitAmount
      .integer()
      .max(MAX_UNIT_MINOR)
      .required()
      .description('The price of one unit without tax, in minor units.'),
    tax_code: text(50).required().description('One of the tax codes of the workspace.'),
  });

const lines = (unitAmount: joi.NumberSchema) =>
  joi.array().items(line(unitAmount)).min(1).max(200).required();

/** Body of `POST /v1/invoices`. */
export const createSchema = joi
  .object({
    company_id: uuid.description('The company that pays.'),
    member_id: memberId.description('The member who pays.'),
    currency: currency.required().description('The ISO 4217 code of the currency of all amounts.'),
    due_at: timestamp.required().description('The time at which the invoice is due.'),
    lines: lines(joi.number().min(0)).description('The lines of the invoice.'),
    reference: text(200)
      .trim()
      .min(1)
      .allow(null)
      .description('Your reference, such as a purchase order number. Shown on the invoice.'),
  })
  .xor('company_id', 'member_id')
  .required();

export interface CreateBody {
  company_id?: string;
  member_id?: string;
  currency: string;
  due_at: Date;
  lines: LineRequest[];
  reference?: string | null;
}

/** Body of `POST /v1/invoices/{id}/mark-paid`. */
export const markPaidSchema = joi
  .object({
    amount_minor: joi
      .number()
      .integer()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .required()
      .description('The amount received, in minor units of the currency of the invoice.'),
    paid_at: timestamp.description('The time at which the payment was received. Defaults to now.'),
    method: joi
      .string()
      .valid(...MANUAL_METHODS)
      .required()
      .description('How the payment was received.'),
    reference: text(200)
      .allow(null, '')
      .description('Your reference, such as the number of a bank statement.'),
  })
  .required();

export interface MarkPaidBody {
  amount_minor: number;
  paid_at?: Date;
  method: ManualMethod;
  reference?: string | null;
}

/** Body of `POST /v1/invoices/{id}/void`; every field is optional. */
export const voidSchema = joi
  .object({
    reason: text(500)
      .allow(null, '')
      .description('The reason, shown in the audit log and the email to the payer.'),
    audit_note: text(2_000).allow(null, '').description('A note, recorded in the audit log.'),
  })
  .required();

export interface VoidBody {
  reason?: string | null;
  audit_note?: string | null;
}

/** Body of `POST /v1/invoices/{id}/adjustments`, the only one in which an amount may be negative. */
export const adjustSchema = joi
  .object({
    lines: lines(joi.number().min(-MAX_UNIT_MINOR)).description(
      'The lines of the adjustment. The unit amounts can be negative.',
    ),
    reason: text(500)
      .trim()
      .min(1)
      .required()
      .description('The reason, shown on the document, in the email to the payer and in the audit log.'),
  })
  .required();

export interface AdjustBody {
  lines: LineRequest[];
  reason: string;
}

export const isInvoiceId = (id: string): boolean => isId('inv', id);

/** Query of `GET /v1/invoices`. */
export const listSchema = joi.object({
  status: joi
    .string()
    .valid(...INVOICE_STATUSES)
    .description('Returns only invoices with this status.'),
  company_id: uuid.description('Returns only invoices of this company.'),
  member_id: memberId.description('Returns only invoices of this member.'),
  booking_id: text(64).description('Returns only invoices of this booking.'),
  from: timestamp.description('Returns only invoices created at or after this time.'),
  to: rangeEnd.description('Returns only invoices created before this time.'),
  ...pageFields,
});

export interface ListQuery extends PageQuery {
  status?: InvoiceStatus;
  company_id?: string;
  member_id?: string;
  booking_id?: string;
  from?: Date;
  to?: Date;
}
