import type Stripe from 'stripe';
import { settingsFor } from '../../simulator/settings.js';
import { Store as SimulatorStore } from '../../simulator/store.js';
import type { Table } from '../../simulator/table.js';
import { resourceMissing } from '../http/errors.js';
import { NO_FAULTS, type Faults } from './faults.js';
import type {
  Delivery,
  Origin,
  Price,
  RequestLogEntry,
  SavedResponse,
  Settings,
  Stored,
  StoredAccount,
  StoredAccountLink,
  StoredBalanceTransaction,
  StoredEvent,
  StoredPaymentMethod,
  StoredRefund,
  StoredRegistration,
  StoredSession,
  StoredSetupIntent,
  StoredSubscription,
  WebhookLogEntry,
} from './records.js';

/** Stripe keeps idempotency keys for a day. */
const KEY_LIFETIME_SECONDS = 24 * 60 * 60;
const isForgotten = ({ created }: SavedResponse): boolean =>
  created < Date.now() / 1000 - KEY_LIFETIME_SECONDS;

/** The simulator's state. */
export class Store extends SimulatorStore {
  readonly sessions = this.table<StoredSession>('sessions');
  readonly payment_intents = this.table<Stored<Stripe.PaymentIntent>>('payment_intents');
  readonly setup_intents = this.table<StoredSetupIntent>('setup_intents');
  readonly charges = this.table<Stored<Stripe.Charge>>('charges');
  readonly refunds = this.table<StoredRefund>('refunds');
  readonly disputes = this.table<Stored<Stripe.Dispute>>('disputes');
  readonly balance_transactions = this.table<StoredBalanceTransaction>('balance_transactions');
  readonly payouts = this.table<Stored<Stripe.Payout>>('payouts');
  readonly customers = this.table<Stored<Stripe.Customer>>('customers');
  readonly payment_methods = this.table<StoredPaymentMethod>('payment_methods');
  readonly products = this.table<Stored<Stripe.Product>>('products');
  readonly prices = this.table<Stored<Price>>('prices');
  readonly subscriptions = this.table<StoredSubscription>('subscriptions');
  readonly invoices = this.table<Stored<Stripe.Invoice>>('invoices');
  readonly accounts = this.table<StoredAccount>('accounts');
  readonly account_links = this.table<StoredAccountLink>('account_links');
  readonly webhook_endpoints = this.table<StoredRegistration>('webhook_endpoints');
  readonly events = this.table<StoredEvent>('events');
  readonly deliveries = this.table<Delivery>('deliveries');
  readonly responses = this.table<SavedResponse>('responses', isForgotten);
  readonly requests = this.logTable<RequestLogEntry>('requests');
  readonly webhooks_sent = this.logTable<WebhookLogEntry>('webhooks_sent');
  readonly settings = this.table<Settings>('settings');

  /** The faults that currently apply to an account: its own if it has any, otherwise those for all. */
  currentFaults(account: string | null): Faults {
    return settingsFor(this.settings, 'faults', account).faults ?? NO_FAULTS;
  }

  /** Finds an object of an account. Other accounts' objects do not exist for it, as with Stripe. */
  require<S extends Stored>(
    table: Table<S>,
    id: string,
    account: string | null,
    param: string,
    status = 404,
  ): S {
    const stored = table.get(id);
    if (stored && stored.account === account) return stored;
    throw resourceMissing(OBJECT_NAMES[table.name] ?? table.name, id, param, status);
  }

  /** Stores a new object with its origin, and the other fields of its kind. */
  add<S extends Stored>(
    table: Table<S>,
    object: S['object'],
    { account, idempotency_key = null }: Origin,
    more?: Omit<S, keyof Stored>,
  ): S {
    const stored = { ...more, object, account, idempotency_key } as S;
    table.set(object.id, stored);
    return stored;
  }

  /** Changes fields of an object and returns a new version of it; the old one is not modified. */
  patch<S extends Stored>(table: Table<S>, stored: S, changes: Partial<S['object']>): S {
    const current = table.get(stored.object.id) ?? stored;
    const next = { ...current, object: { ...current.object, ...changes } };
    table.set(stored.object.id, next);
    return next;
  }
}

/** Object names in Stripe's error messages. */
const OBJECT_NAMES: Record<string, string> = {
  sessions: 'checkout.session',
  payment_intents: 'payment_intent',
  setup_intents: 'setupintent',
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  balance_transactions: 'balance_transaction',
  customers: 'customer',
  payment_methods: 'PaymentMethod',
  products: 'product',
  prices: 'price',
  subscriptions: 'subscription',
  invoices: 'invoice',
  payouts: 'payout',
  webhook_endpoints: 'webhook endpoint',
};
