import type Stripe from 'stripe';
import { resourceMissing } from '../http/errors.js';
import { Journal } from './journal.js';
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
import { Table } from './table.js';

/** Stripe keeps idempotency keys for a day. */
const KEY_LIFETIME_SECONDS = 24 * 60 * 60;
/** How much of the two logs is carried over a restart. */
const LOG_ENTRIES_KEPT = 100_000;

/** Everything the simulator knows: in memory, and in a journal from which the next process reads it again. */
export class Store {
  private journal!: Journal;
  private sequence = 0;

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
  readonly answers = this.table<SavedAnswer>('answers');
  readonly requests = this.table<RequestLogEntry>('requests');
  readonly webhooks_sent = this.table<WebhookLogEntry>('webhooks_sent');
  readonly settings = this.table<Settings>('settings');

  private readonly tables = new Map<string, Table<unknown>>();

  /** Reads what an earlier process left in `folder`. */
  static async open(folder: string): Promise<Store> {
    const store = new Store();
    for (const value of Object.values(store)) {
      if (value instanceof Table) store.tables.set(value.name, value);
    }
    store.journal = await Journal.open(
      folder,
      (table, id, value) => store.tables.get(table)?.restore(id, value),
      () => store.worthKeeping(),
    );
    return store;
  }

  /** Runs a synchronous piece of work whose changes survive together or not at all. */
  transaction<T>(work: () => T): T {
    return this.journal.transaction(work);
  }

  /** Adds a line to one of the logs. */
  log<T>(table: Table<T>, entry: T): void {
    this.sequence += 1;
    table.set(`${Date.now()}-${this.sequence}`, entry);
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

  /** Closes the journal. */
  close(): void {
    this.journal.close();
  }

  private table<T>(name: string): Table<T> {
    return new Table<T>(name, () => this.journal);
  }

  private *worthKeeping(): Generator<[string, string, unknown]> {
    const oldestKey = Date.now() / 1000 - KEY_LIFETIME_SECONDS;
    for (const table of this.tables.values()) {
      const log = (table as unknown) === this.requests || (table as unknown) === this.webhooks_sent;
      let surplus = log ? table.size - LOG_ENTRIES_KEPT : 0;
      for (const [id, value] of table.entries()) {
        const stale = (table as unknown) === this.answers && (value as SavedAnswer).created < oldestKey;
        if (stale || surplus > 0) table.restore(id, null);
        else yield [table.name, id, value];
        surplus -= 1;
      }
    }
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
