import type Stripe from 'stripe';
import { JournaledStore } from '../../simulator/store.js';
import type { Table } from '../../simulator/table.js';
import { resourceMissing } from '../http/errors.js';
import type {
  Delivery,
  Price,
  RequestLogEntry,
  SavedAnswer,
  Settings,
  Stored,
  StoredAccount,
  StoredAccountLink,
  StoredEvent,
  StoredPaymentMethod,
  StoredRefund,
  StoredSession,
  StoredSubscription,
  WebhookLogEntry,
} from './records.js';

/** Stripe keeps idempotency keys for a day. */
const KEY_LIFETIME_SECONDS = 24 * 60 * 60;
const isForgotten = ({ created }: SavedAnswer): boolean => created < Date.now() / 1000 - KEY_LIFETIME_SECONDS;

/** Everything the simulator knows. */
export class Store extends JournaledStore {
  readonly sessions = this.table<StoredSession>('sessions');
  readonly payment_intents = this.table<Stored<Stripe.PaymentIntent>>('payment_intents');
  readonly charges = this.table<Stored<Stripe.Charge>>('charges');
  readonly refunds = this.table<StoredRefund>('refunds');
  readonly disputes = this.table<Stored<Stripe.Dispute>>('disputes');
  readonly balance_transactions = this.table<Stored<Stripe.BalanceTransaction>>('balance_transactions');
  readonly customers = this.table<Stored<Stripe.Customer>>('customers');
  readonly payment_methods = this.table<StoredPaymentMethod>('payment_methods');
  readonly products = this.table<Stored<Stripe.Product>>('products');
  readonly prices = this.table<Stored<Price>>('prices');
  readonly subscriptions = this.table<StoredSubscription>('subscriptions');
  readonly invoices = this.table<Stored<Stripe.Invoice>>('invoices');
  readonly accounts = this.table<StoredAccount>('accounts');
  readonly account_links = this.table<StoredAccountLink>('account_links');
  readonly events = this.table<StoredEvent>('events');
  readonly deliveries = this.table<Delivery>('deliveries');
  readonly answers = this.table<SavedAnswer>('answers', isForgotten);
  readonly requests = this.logTable<RequestLogEntry>('requests');
  readonly webhooks_sent = this.logTable<WebhookLogEntry>('webhooks_sent');
  readonly settings = this.table<Settings>('settings');

  /** Reads what an earlier process left in `folder`. */
  static async open(folder: string): Promise<Store> {
    const store = new Store();
    await store.load(folder);
    return store;
  }

  /** Finds an object of this account; another account's is missing, as with Stripe. */
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

  /** Changes some fields of an object and returns it; objects handed out before stay as they were. */
  patch<S extends Stored>(table: Table<S>, stored: S, changes: Partial<S['object']>): S {
    const current = table.get(stored.object.id) ?? stored;
    const next = { ...current, object: { ...current.object, ...changes } };
    table.set(stored.object.id, next);
    return next;
  }
}

/** What Stripe calls a missing object in its message. */
const OBJECT_NAMES: Record<string, string> = {
  sessions: 'checkout.session',
  payment_intents: 'payment_intent',
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
};
