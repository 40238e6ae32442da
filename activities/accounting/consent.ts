import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { findConnection, isOrganisationConnected } from '../../db/queries/accounting/connection.js';
import { connect, endConnection } from '../../commands/accounting/connections.js';
import { findConsent, insertConsent } from '../../commands/accounting/consents.js';
import type { Encryption } from '../../db/encryption.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { encryptTokens } from './access.js';
import { failures, isDisconnected } from '../failures.js';
import type { AccountingAccess, AccountingConsent } from '../gateways/accounting.js';

interface Deps {
  db: DataSource;
  encryption: Encryption;
  consent: AccountingConsent;
  accountingAccess: AccountingAccess;
}

/** The OAuth consent of the accounting system (docs/rules/accounting.md#connection). */
export function createConsentActivities({ db, encryption, consent, accountingAccess }: Deps) {
  return {
    /** Begins a consent and stores it with the URL of its page. */
    async beginConsent({
      consentId,
      workspaceId,
    }: {
      consentId: string;
      workspaceId: string;
    }): Promise<void> {
      const { url, state, nonce, verifier } = await consent.begin();
      await insertConsent(db.manager, {
        id: consentId,
        workspace_id: workspaceId,
        state_hash: createHash('sha256').update(state).digest(),
        nonce,
        verifier: encryption.encrypt(verifier, consentId),
        url,
      });
    },

    /**
     * Exchanges the code with which the operator returned for tokens, and connects the workspace. `declined`:
     * consent was refused; `taken`: the connection conflicts with an existing one.
     */
    async finishConsent(consentId: string): Promise<'connected' | 'declined' | 'taken'> {
      const stored = await findConsent(db.manager, { id: consentId });
      if (!stored?.callback_query) throw failures.referenceMissing(`callback of ${consentId}`);
      const callbackQuery = encryption.decrypt(stored.callback_query, consentId);
      const { workspace_id, nonce } = stored;
      try {
        const { tenant_id, organisation, ...tokens } = await consent.finish({
          callbackQuery,
          state: new URL(stored.url).searchParams.get('state')!,
          nonce,
          verifier: encryption.decrypt(stored.verifier, consentId),
        });
        const sealed = encryptTokens(encryption, workspace_id, tokens);
        try {
          await transaction(db, (tx) => connect(tx, { ...sealed, workspace_id, tenant_id, organisation }));
        } catch (error) {
          // An unused connection would count towards the limit of our app.
          const unused = error instanceof ApiError && !(await isOrganisationConnected(db.manager, tenant_id));
          if (unused) await consent.disconnect(tokens.access_token, tenant_id).catch(() => undefined);
          throw error;
        }
        return 'connected';
      } catch (error) {
        if (isDisconnected(error)) return 'declined';
        if (error instanceof ApiError) return 'taken';
        throw error;
      }
    },

    /** Ends a workspace's connection, first at the accounting system, where it counts until it is deleted. */
    async disconnectAccounting(input: {
      workspaceId: string;
      actor: { member_id: string; key_id: string | null };
    }): Promise<void> {
      const { workspaceId, actor } = input;
      const connection = await findConnection(db.manager, workspaceId);
      if (connection?.status === 'active') {
        try {
          const { accessToken, tenantId } = await accountingAccess.token(workspaceId);
          await consent.disconnect(accessToken, tenantId);
        } catch (error) {
          if (!isDisconnected(error)) throw error;
        }
      }
      await transaction(db, (tx) => endConnection(tx, { workspace_id: workspaceId, ...actor }));
    },
  };
}
