import { secretContext } from './queries/events/webhook-endpoint.js';
import { ssoKeyContext, ssoLoginContext, ssoSecretContext } from './queries/single-sign-on/single-sign-on.js';
import type { Row, Table } from './entities.js';

/**
 * A column of encrypted values, the column that identifies its rows, and a function from that to the
 * encryption context.
 */
interface EncryptedColumn<T extends Table = Table> {
  table: T;
  column: string;
  key: string;
  context: (key: string) => string;
}

const encrypted = <T extends Table>(
  table: T,
  key: keyof Row<T> & string,
  columns: (keyof Row<T> & string)[],
  context: (key: string) => string,
): EncryptedColumn[] => columns.map((column) => ({ table, column, key, context }));

/** All columns with values of db/encryption.ts. Every other `bytea` column is a digest or a file. */
export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  ...encrypted('webhook_endpoints', 'workspace_id', ['secret', 'previous_secret'], secretContext),
  ...encrypted(
    'accounting_connections',
    'workspace_id',
    ['access_token', 'refresh_token'],
    (id) => `accounting-token:${id}`,
  ),
  ...encrypted('accounting_consents', 'id', ['verifier', 'callback_query'], (id) => id),
  ...encrypted('second_factors', 'profile_id', ['secret'], (id) => `second-factor:${id}`),
  ...encrypted('sso_connections', 'workspace_id', ['client_secret'], ssoSecretContext),
  ...encrypted('sso_candidates', 'workspace_id', ['client_secret'], ssoSecretContext),
  ...encrypted('sso_service_keys', 'workspace_id', ['key'], ssoKeyContext),
  ...encrypted('sso_logins', 'id', ['secrets', 'answer'], ssoLoginContext),
  ...encrypted('sign_in_links', 'id', ['encrypted_token'], (id) => `sign-in-link:${id}`),
];
