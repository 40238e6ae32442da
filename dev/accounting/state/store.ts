import { settingsFor } from '../../simulator/settings.js';
import { Store as SimulatorStore } from '../../simulator/store.js';
import { NO_FAULTS, type Faults } from './faults.js';
import type {
  AccessToken,
  Allocation,
  AuthorizationCode,
  Connection,
  Contact,
  Document,
  Organisation,
  Payment,
  RefreshToken,
  RequestLogEntry,
  SavedResponse,
  Settings,
} from './records.js';

/** Xero keeps idempotency keys for six minutes. */
export const KEY_LIFETIME_MS = 6 * 60_000;

const isOver = ({ expires_at }: { expires_at: number }): boolean => expires_at <= Date.now();
const isForgotten = ({ created_at }: SavedResponse): boolean => created_at <= Date.now() - KEY_LIFETIME_MS;

/** The simulator's state. */
export class Store extends SimulatorStore {
  readonly organisations = this.table<Organisation>('organisations');
  readonly contacts = this.table<Contact>('contacts');
  readonly invoices = this.table<Document>('invoices');
  readonly credit_notes = this.table<Document>('credit_notes');
  readonly payments = this.table<Payment>('payments');
  readonly allocations = this.table<Allocation>('allocations');
  readonly connections = this.table<Connection>('connections');
  readonly codes = this.table<AuthorizationCode>('codes', isOver);
  readonly access_tokens = this.table<AccessToken>('access_tokens', isOver);
  readonly refresh_tokens = this.table<RefreshToken>('refresh_tokens', isOver);
  readonly responses = this.table<SavedResponse>('responses', isForgotten);
  readonly requests = this.logTable<RequestLogEntry>('requests');
  readonly settings = this.table<Settings>('settings');
  /** The private key that signs tokens, as PEM. */
  readonly keys = this.table<string>('keys');

  readonly paymentsByDocument = this.payments.index(({ document_id }) => [document_id]);
  readonly allocationsByDocument = this.allocations.index(({ credit_note_id, invoice_id }) => [
    credit_note_id,
    invoice_id,
  ]);

  /** The faults that currently apply to an organisation: its own if it has any, otherwise those for all. */
  currentFaults(tenant: string | null): Faults {
    return settingsFor(this.settings, 'faults', tenant).faults ?? NO_FAULTS;
  }
}
