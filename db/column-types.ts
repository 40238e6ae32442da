import type { Chart } from '../domain/accounting-settings.js';
import type { ChangeOutcome, ChangePlan, ChangeRequest } from '../domain/booking-change.js';
import type { CancelRequest } from '../domain/booking-cancellation.js';
import type { EventBody, EventType } from '../domain/events.js';
import type { InvoiceLine } from '../domain/invoice.js';
import type { InvoiceParties } from '../domain/invoice-parties.js';
import type { PaymentRefusal } from '../domain/late-payment.js';
import type { MailKind } from '../domain/mails.js';
import type { KeyResource, ScopeAction } from '../domain/policies.js';
import type { TaxCode, Tier } from '../domain/price.js';
import type { ReconciliationReport } from '../domain/reconciliation.js';
import type { RefundStep } from '../domain/refund-policy.js';
import type { OpeningHours } from '../domain/slots.js';
import type { ConfirmationSource } from '../domain/states.js';
import type { TierPrices } from '../domain/tiers.js';

/**
 * Column types that cannot be derived from the schema: JSON, arrays, and texts without a CHECK constraint that lists
 * their values. `npm run db:types` reads the keys, and adds null for a nullable column.
 */
export interface ColumnTypes {
  'accounting_charts.chart': Chart;
  'adjustments.lines': InvoiceLine[];
  'api_keys.actions': ScopeAction[];
  'api_keys.resources': KeyResource[];
  'audit_log.actor': { member_id: string; key_id: string | null } | { guest: string } | { system: string };
  'audit_log.details': Record<string, unknown>;
  'booking_changes.actor': { member_id: string; key_id: string | null } | { guest: string };
  'booking_changes.outcome': ChangeOutcome;
  'booking_changes.plan': ChangePlan;
  'booking_changes.request': ChangeRequest | CancelRequest;
  'events.body': EventBody;
  'events.type': EventType;
  'invoices.parties': InvoiceParties;
  'mails.kind': MailKind;
  'oauth_artifacts.payload': Record<string, unknown>;
  'payments.refusal': PaymentRefusal;
  'payments.source': ConfirmationSource;
  'reconciliations.report': ReconciliationReport;
  'rooms.opening_hours': OpeningHours;
  'rooms.refund_steps': RefundStep[];
  'rooms.tier_discounts': Partial<Record<Tier, number>>;
  'rooms.tiers': Tier[];
  'tier_changes.from_tier': Tier;
  'tier_changes.to_tier': Tier;
  'workspaces.tax_codes': TaxCode[];
  'workspaces.tier_prices': TierPrices;
}
