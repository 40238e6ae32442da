import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import { SsoCandidate, SsoConnection, SsoSubject } from '../../db/entities/single-sign-on.js';
import { CLOCK, NOW } from '../../db/database-time.js';
import { newId } from '../../db/ids.js';
import { maybeOne } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { findSsoCandidate, findSsoConnection } from '../../db/queries/single-sign-on/single-sign-on.js';
import { presentSsoSettings } from '../../domain/single-sign-on/presenter.js';
import { providerIdentity } from '../../domain/single-sign-on/providers.js';
import { enqueueMail } from '../mail/mails.js';
import { audit, auditEdit, type Actor } from '../audit-log/audit.js';
import { deleteProviderSessions } from '../sign-in/sessions.js';
import { findSignInName } from './sign-in-names.js';

/** Settings to test. `client_secret` is encrypted for the workspace. */
export type NewCandidate = Pick<SsoCandidate, 'name' | 'provider' | 'client_secret'>;

/**
 * Stores settings that replace a workspace's once they have passed a test. They replace settings that were
 * waiting for a test, whose test no longer saves anything (docs/rules/single-sign-on.md#settings).
 */
export async function saveCandidate(tx: Tx, workspace_id: string, candidate: NewCandidate): Promise<void> {
  await tx.upsert(
    SsoCandidate,
    { ...candidate, workspace_id, id: newId('sso'), created_at: CLOCK },
    { conflictPaths: ['workspace_id'] },
  );
}

/** Does the same in its own transaction. */
export const replaceCandidate = (
  db: DataSource,
  workspaceId: string,
  candidate: NewCandidate,
): Promise<void> => transaction(db, (tx) => saveCandidate(tx, workspaceId, candidate));

/**
 * Returns what to test: the settings that wait for a test, otherwise those in use; null if there are none.
 */
export const candidateToTest = (db: DataSource, workspaceId: string): Promise<SsoCandidate | null> =>
  transaction(db, async (tx) => {
    const waiting = await findSsoCandidate(tx, workspaceId);
    const current = waiting ? null : await findSsoConnection(tx, workspaceId);
    if (current) await saveCandidate(tx, workspaceId, current);
    return waiting ?? findSsoCandidate(tx, workspaceId);
  });

/** Discards settings that wait for a test. */
export async function discardCandidate(tx: Tx, workspaceId: string): Promise<void> {
  await tx.delete(SsoCandidate, { workspace_id: workspaceId });
}

const lockConnection = (tx: Tx, workspaceId: string): Promise<SsoConnection | null> =>
  maybeOne<SsoConnection>(tx, `SELECT * FROM sso_connections WHERE workspace_id = $1 FOR UPDATE`, [
    workspaceId,
  ]);

/**
 * Puts settings that have passed a test into use. If they are for another provider, whose subjects are other
 * people, members are bound again and the sessions through the provider end. If only the certificates differ,
 * nobody notices. Returns false if the settings were edited while the test ran.
 */
export const acceptCandidate = (db: DataSource, by: Actor, candidateId: string): Promise<boolean> =>
  transaction(db, async (tx) => {
    const accepted = await takeCandidate(tx, by, candidateId);
    if (accepted) await auditTest(tx, by, { passed: true, reason: null });
    return accepted;
  });

async function takeCandidate(tx: Tx, by: Actor, candidateId: string): Promise<boolean> {
  const { workspace_id } = by;
  const candidate = await maybeOne<SsoCandidate>(
    tx,
    `SELECT * FROM sso_candidates WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspace_id, candidateId],
  );
  if (!candidate) return false;
  const before = await lockConnection(tx, workspace_id);
  const { name, provider, client_secret } = candidate;
  await tx.upsert(
    SsoConnection,
    { workspace_id, name, provider: provider as object, client_secret, tested_at: NOW, updated_at: CLOCK },
    { conflictPaths: ['workspace_id'] },
  );
  await discardCandidate(tx, workspace_id);
  if (before && providerIdentity(before.provider) !== providerIdentity(provider)) {
    await tx.delete(SsoSubject, { workspace_id });
    await deleteProviderSessions(tx, workspace_id);
  }
  await record(tx, by, before, (await lockConnection(tx, workspace_id))!);
  return true;
}

/** The settings that can change without a test. */
export type SsoRules = Pick<
  SsoConnection,
  'name' | 'enabled' | 'required' | 'trust_second_factor' | 'provision'
>;

/**
 * Changes who signs in through the provider, and how. Switching it off ends the sessions through it. Errors:
 * 422 on `enabled` without tested settings or a sign-in name, and if it would be switched off while it is
 * required.
 */
export const changeSsoRules = (db: DataSource, by: Actor, rules: SsoRules): Promise<void> =>
  transaction(db, async (tx) => {
    const { workspace_id } = by;
    const before = await lockConnection(tx, workspace_id);
    if (!before) throw notEnabled('Enter the settings of your provider and run a test first.');
    if (!rules.enabled && rules.required !== 'none')
      throw notEnabled(
        'Single sign-on cannot be turned off while it is required. First set “Required for” to “No one”.',
      );
    if (rules.enabled && (await findSignInName(tx, workspace_id)) === null)
      throw notEnabled(
        'Choose a sign-in name first: people who must use single sign-on are sent to its page.',
      );
    const { provision, ...rest } = rules;
    await tx.update(
      SsoConnection,
      { workspace_id },
      { ...rest, provision: provision as object | null, updated_at: CLOCK },
    );
    if (before.enabled && !rules.enabled) await deleteProviderSessions(tx, workspace_id);
    await record(tx, by, before, { ...before, ...rules });
  });

const notEnabled = (message: string): ApiError =>
  new ApiError('validation_failed', message, { param: 'enabled' });

const fingerprints = ({ provider }: SsoConnection): string[] =>
  provider.protocol === 'saml'
    ? provider.certificates.map((certificate) => new X509Certificate(certificate).fingerprint256)
    : [];

/**
 * Stores the audit entry of a change, and informs the owner. For secrets, it contains only whether there is
 * one and whether it was replaced.
 */
async function record(tx: Tx, by: Actor, before: SsoConnection | null, after: SsoConnection): Promise<void> {
  const secretWord = (connection: SsoConnection, word: string): string | null =>
    connection.client_secret && word;
  const isKept = before?.client_secret && after.client_secret?.equals(before.client_secret);
  const shownBefore =
    before &&
    presentSsoSettings(before, {
      certificates: fingerprints(before),
      client_secret: secretWord(before, 'saved'),
    });
  const shownAfter = presentSsoSettings(after, {
    certificates: fingerprints(after),
    client_secret: secretWord(after, isKept || !before?.client_secret ? 'saved' : 'replaced'),
  });
  if (isDeepStrictEqual(shownBefore, shownAfter)) return;
  const { workspace_id } = after;
  await auditEdit(tx, by, {
    action: 'sso.updated',
    object: workspace_id,
    before: shownBefore ?? {},
    after: shownAfter,
  });
  await enqueueMail(tx, { kind: 'sso_changed', workspace_id, about: newId('mail') });
}

/** Records the result of testing settings. `reason`: why they did not pass. */
export const auditTest = (
  tx: Tx,
  by: Actor,
  outcome: { passed: boolean; reason: string | null },
): Promise<void> => audit(tx, by, { action: 'sso.tested', object: by.workspace_id, details: outcome });
