import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import test from 'ava';
import { createAccountingAccess, encryptTokens } from '../../activities/accounting/access.js';
import { failures } from '../../activities/failures.js';
import type { AccountingConsent } from '../../activities/gateways/accounting.js';
import { ENCRYPTED_COLUMNS } from '../../db/encrypted-columns.js';
import { createEncryption, type Encryption } from '../../db/encryption.js';
import { createInviteLinks } from '../../db/signed-links.js';
import { newId } from '../../db/ids.js';
import { reencrypt } from '../../db/reencryption.js';
import { connect } from '../../commands/accounting/connections.js';
import { insertConsent } from '../../commands/accounting/consents.js';
import { secretContext } from '../../db/queries/events/webhook-endpoint.js';
import { rotateEndpointSecret } from '../../commands/events/webhook-endpoints.js';
import { entityColumns, ENTITIES } from '../../db/entities.js';
import { transaction } from '../../db/transaction.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { samlConnection } from '../support/certificates.js';
import {
  storeCandidates,
  storeConnections,
  storeEndpoints,
  storeLogins,
  storeProfiles,
  storeSecondFactors,
  storeServiceKeys,
  storeSignInLinks,
} from '../support/rows.js';
import { until } from '../support/until.js';
import { newPlace, withScratchDatabase } from '../support/scratch-database.js';

const newKey = (): string => randomBytes(32).toString('base64');

/** Stores a workspace with a value in each encrypted column, encrypted with the given key. Returns its id. */
async function newSecrets(db: DataSource, key: string): Promise<string> {
  const encryption = createEncryption(key);
  const { workspace_id } = await newPlace(db);
  await storeEndpoints(db, [{ workspace_id, secret: encryptWebhookSecret(workspace_id, encryption) }]);
  const tokens = { access_token: 'a0', refresh_token: `${workspace_id} 0`, access_expires_at: new Date() };
  await connect(db.manager, {
    ...encryptTokens(encryption, workspace_id, tokens),
    workspace_id,
    tenant_id: workspace_id,
    organisation: 'House',
  });
  const consent = newId('link');
  await insertConsent(db.manager, {
    id: consent,
    workspace_id,
    state_hash: randomBytes(32),
    nonce: 'n',
    verifier: encryption.encrypt('verifier', consent),
    url: 'https://example.com',
  });
  await db.query(`UPDATE accounting_consents SET callback_query = $2 WHERE id = $1`, [
    consent,
    encryption.encrypt('query', consent),
  ]);
  const sealed = (context: string): Buffer => encryption.encrypt('secret', context);
  const settings = { workspace_id, name: 'ID', provider: { protocol: 'oidc' } as never };
  const client_secret = sealed(`sso-secret:${workspace_id}`);
  const now = new Date();
  await storeConnections(db, [
    { ...samlConnection(workspace_id), ...settings, client_secret, enabled: false },
  ]);
  await storeCandidates(db, [{ ...settings, id: newId('sso'), client_secret, created_at: now }]);
  await storeServiceKeys(db, [
    { workspace_id, key: sealed(`sso-key:${workspace_id}`), certificate: 'PEM', created_at: now },
  ]);
  const login = newId('sso');
  await storeLogins(db, [
    {
      id: login,
      workspace_id,
      state_hash: randomBytes(32),
      browser_hash: randomBytes(32),
      purpose: 'sign_in',
      secrets: sealed(`sso-login:${login}`),
      answer: sealed(`sso-login:${login}`),
      return_to: '/dashboard',
      created_at: now,
    },
  ]);
  const profile = newId('prof');
  await storeProfiles(db, [{ id: profile, email: `${profile}@example.com` }]);
  await storeSecondFactors(db, [{ profile_id: profile, secret: sealed(`second-factor:${profile}`) }]);
  const link = newId('link');
  const encrypted_token = encryption.encrypt('token', `sign-in-link:${link}`);
  await storeSignInLinks(db, [
    { id: link, email: 'ines@example.com', token_hash: randomBytes(32), encrypted_token },
  ]);
  return workspace_id;
}

const encryptWebhookSecret = (workspaceId: string, encryption: Encryption): Buffer =>
  encryption.encrypt(`whsec_${workspaceId}`, secretContext(workspaceId));

/** All stored values, decrypted. Throws if one cannot be decrypted. */
async function openAll(db: DataSource, encryption: Encryption): Promise<number> {
  let opened = 0;
  for (const { table, column, key, context } of ENCRYPTED_COLUMNS) {
    const rows: { id: string; value: Buffer }[] = await db.query(
      `SELECT ${key} AS id, ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    for (const { id, value } of rows) encryption.decrypt(value, context(id));
    opened += rows.length;
  }
  return opened;
}

/** An accounting system whose refresh tokens can be used once. */
function singleUseTokens(): Pick<AccountingConsent, 'refresh'> & { uses: number } {
  const current = new Map<string, number>();
  return {
    uses: 0,
    async refresh(token) {
      const [workspace, number] = token.split(' ') as [string, string];
      if (Number(number) !== (current.get(workspace) ?? 0))
        throw failures.accountingDisconnected('used before');
      this.uses++;
      current.set(workspace, Number(number) + 1);
      await sleep(5 + Math.random() * 20);
      // So close to its expiry that every use refreshes it.
      const access_expires_at = new Date(Date.now() + 1_000);
      return { access_token: 'a', refresh_token: `${workspace} ${Number(number) + 1}`, access_expires_at };
    },
  };
}

test('the key is rotated under load: every read succeeds, no token is lost, and the old key is not needed afterwards', async (t) => {
  await withScratchDatabase(async (db) => {
    const [before, after] = [newKey(), newKey()];
    const workspaces: string[] = [];
    for (let n = 0; n < 6; n++) workspaces.push(await newSecrets(db, before));
    const consent = singleUseTokens();
    const processes = Array.from({ length: 4 }, () => createEncryption(before));
    const load = { stopped: false, operations: processes.map(() => 0) };
    const errors: unknown[] = [];

    async function operate(encryption: Encryption, workspaceId: string): Promise<void> {
      const [{ secret }] = await db.query(`SELECT secret FROM webhook_endpoints WHERE workspace_id = $1`, [
        workspaceId,
      ]);
      t.is(encryption.decrypt(secret, secretContext(workspaceId)), `whsec_${workspaceId}`);
      await transaction(db, (tx) =>
        rotateEndpointSecret(tx, workspaceId, encryptWebhookSecret(workspaceId, encryption), 3_600),
      );
      const access = createAccountingAccess({ db, encryption, consent: consent as never });
      await access.token(workspaceId).catch((error) => {
        if (error.type !== 'AccountingUnavailable') throw error;
      });
    }
    const loops = processes.map(async (_, n) => {
      while (!load.stopped) {
        const workspaceId = workspaces[Math.floor(Math.random() * workspaces.length)]!;
        await operate(processes[n]!, workspaceId).catch((error) => errors.push(error));
        load.operations[n]!++;
      }
    });
    /** Restarts the processes one after another with other keys, while re-encryptions run. */
    const deploy = async (keys: string): Promise<void> => {
      for (const n of processes.keys()) {
        processes[n] = createEncryption(keys);
        // Until no operation with the earlier keys is in progress.
        const done = [...load.operations];
        await until(async () => done.every((operations, other) => load.operations[other]! > operations));
        await reencrypt(db, createEncryption(`${after},${before}`));
      }
    };
    try {
      // Re-encryptions start when every process can read the new key.
      for (const n of processes.keys()) processes[n] = createEncryption(`${before},${after}`);
      await deploy(`${before},${after}`);
      await deploy(`${after},${before}`);
      const done = await reencrypt(db, createEncryption(`${after},${before}`));
      t.like(done, { remaining: 0, unreadable: 0 });
      await deploy(after);
    } finally {
      load.stopped = true;
      await Promise.all(loops);
    }
    t.deepEqual(errors, []);
    t.true(consent.uses > 20, String(consent.uses));
    t.is(await openAll(db, createEncryption(after)), workspaces.length * 13);
    const [{ active }] = await db.query(
      `SELECT count(*)::int AS active FROM accounting_connections WHERE status = 'active'`,
    );
    t.is(active, workspaces.length);
  });
});

test('npm run reencrypt reports what it did, and fails while a value needs another key', async (t) => {
  await withScratchDatabase(async (db, url) => {
    const [before, after, lost] = [newKey(), newKey(), newKey()];
    await newSecrets(db, before);
    const run = (keys: string): Promise<[code: unknown, report: unknown]> =>
      new Promise((resolve) => {
        const env = { ...REQUIRED_SETTINGS, DATABASE_URL: url, ENCRYPTION_KEY: keys };
        execFile(process.execPath, ['build/deploy/reencrypt.js'], { env }, (error, stdout) =>
          resolve([error?.code ?? 0, JSON.parse(stdout)]),
        );
      });
    t.deepEqual(await run(`${after},${before}`), [0, { reencrypted: 12, remaining: 0, unreadable: 0 }]);
    t.deepEqual(await run(`${after},${before}`), [0, { reencrypted: 0, remaining: 0, unreadable: 0 }]);
    t.is(await openAll(db, createEncryption(after)), 12);
    await newSecrets(db, lost);
    t.deepEqual(await run(after), [1, { reencrypted: 0, remaining: 12, unreadable: 12 }]);
  });
});

test('every bytes column is listed as encrypted, or is a digest or a file', (t) => {
  const listed = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const others = Object.entries(ENTITIES).flatMap(([table, entity]) =>
    Object.entries(entityColumns(entity))
      .filter(([column, { type }]) => type === 'bytea' && !listed.includes(`${table}.${column}`))
      .map(([column]) => `${table}.${column}`),
  );
  t.deepEqual(others.toSorted(), [
    'accounting_consents.session_hash',
    'accounting_consents.state_hash',
    'accounting_contacts.digest',
    'api_tokens.hash',
    'api_tokens.replaces',
    'audit_links.digest',
    'audit_links.hash',
    'booking_changes.client',
    'booking_requests.client',
    'booking_requests.fingerprint',
    'booking_requests.public_guest',
    'feeds.token_hash',
    'idempotency_keys.fingerprint',
    'mail_recipients.digest',
    'mails.attachment',
    'oauth_artifacts.id_hash',
    'oauth_clients.secret_hash',
    'passkey_challenges.digest',
    'passkey_challenges.session_hash',
    'passkeys.public_key',
    'payments.request_hash',
    'recovery_codes.code_hash',
    'room_feeds.token_hash',
    'sessions.id_hash',
    // Encrypted, but it lives only ten minutes.
    'sessions.pending_secret',
    'sign_in_links.token_hash',
    'sso_logins.browser_hash',
    'sso_logins.session_hash',
    'sso_logins.state_hash',
  ]);
});

test('invite links that another key signed stay valid as long as that key is listed', (t) => {
  const [before, after] = [newKey(), newKey()];
  const createLinks = (keys: string) => createInviteLinks(createEncryption(keys), 'https://example.com');
  const id = newId('ivt');
  const tokenInLink = (link: string): string => link.split('/').at(-1)!;
  const old = tokenInLink(createLinks(before).linkTo(id));
  t.is(createLinks(`${after},${before}`).read(old), id);
  t.is(createLinks(`${before},${after}`).read(tokenInLink(createLinks(`${after},${before}`).linkTo(id))), id);
  t.is(createLinks(after).read(old), null);
});
