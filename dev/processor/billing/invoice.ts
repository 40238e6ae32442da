import type Stripe from 'stripe';
import { listInside } from '../http/listing.js';
import { unixNow } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Line } from '../state/records.js';
import type { Period } from './period.js';
import { nulls } from '../names.js';

interface NewInvoice {
  subscription: Stripe.Subscription;
  lines: Line[];
  period: Period;
  status: 'draft' | 'open' | 'paid' | 'void';
  reason: 'upcoming' | 'subscription_update';
}

/** An invoice of the processor: a preview, or one created by `always_invoice`. It collects nothing. */
export function buildInvoice({ subscription, lines, period, status, reason }: NewInvoice): Stripe.Invoice {
  const id = newId(reason === 'upcoming' ? 'upcoming_in' : 'in');
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total);
  const now = unixNow();
  return {
    ...nulls(`
      account_name account_tax_ids application automatically_finalizes_at custom_fields customer_account
      customer_address customer_email customer_name customer_phone customer_shipping default_payment_method
      default_source description due_date effective_at ending_balance footer from_invoice
      last_finalization_error latest_revision next_payment_attempt number on_behalf_of receipt_number
      rendering shipping_cost shipping_details statement_descriptor test_clock webhooks_delivered_at
    `),
    id,
    object: 'invoice',
    account_country: 'GB',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    billing_reason: reason,
    collection_method: subscription.collection_method,
    created: now,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: [],
    issuer: { type: 'self' },
    lines: listInside(
      `/v1/invoices/${id}/lines`,
      lines.map((line) => ({ ...line, invoice: id })),
    ) as never,
    livemode: false,
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    } as Stripe.Invoice.Parent,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status,
    status_transitions: {
      finalized_at: status === 'draft' ? null : now,
      marked_uncollectible_at: null,
      paid_at: status === 'paid' ? now : null,
      voided_at: status === 'void' ? now : null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
  };
}
