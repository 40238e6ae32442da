import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { dryRun, transaction, type Tx } from '../../db/transaction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import type { ApiError } from '../../domain/errors.js';
import { authorize, type Principal } from '../../domain/policies.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { boundBefore, type IdempotencyKey } from '../api-keys/idempotency.js';
import { countInvite } from '../mail/mail-limits.js';
import { archiveMember } from './archive-member.js';
import { createMember, type MemberRequest } from './create-member.js';
import { updateMember } from './update-member.js';

export type BulkOperation =
  | ({ op: 'create' } & Omit<MemberRequest, 'id'>)
  | ({ op: 'update'; id: string } & Parameters<typeof updateMember>[3])
  | { op: 'archive'; id: string };

export interface BulkResult {
  index: number;
  op: unknown;
  status: 'ok' | 'error';
  id: string | null;
  error?: ApiError;
}

interface Deps {
  db: DataSource;
  quotas: Quotas;
  mailQuotas: MailQuotas;
}

/** Executes one operation in its own transaction and returns the member's id. */
async function execute(
  { db, mailQuotas, quotas }: Deps,
  caller: Principal,
  operation: BulkOperation,
  key: IdempotencyKey | null,
  run: typeof transaction,
): Promise<string> {
  /** Runs the work unless an earlier request with the key already did. Returns the member's id. */
  const once = (id: string, work: (tx: Tx) => Promise<unknown>): Promise<string> =>
    run(db, async (tx) => {
      const known = await boundBefore(tx, caller.workspace_id, key, id);
      if (known === null) await work(tx);
      return known ?? id;
    });
  switch (operation.op) {
    case 'create': {
      authorize(caller, 'members:invite', 'invite_members');
      const { op: _op, ...request } = operation;
      const id = newId('mem');
      return once(id, async (tx) => {
        await createMember(tx, quotas, caller, { ...request, id });
        await countInvite(tx, caller, mailQuotas, id);
      });
    }
    case 'update': {
      authorize(caller, 'members:write', 'update_own_profile');
      const { op: _op, id, ...changes } = operation;
      return once(id, async (tx) => {
        await updateMember(tx, caller, id, changes);
        await countInvite(tx, caller, mailQuotas, id);
      });
    }
    case 'archive': {
      authorize(caller, 'members:delete', 'archive_members');
      return once(operation.id, (tx) => archiveMember(tx, caller, operation.id));
    }
  }
}

/** Returns the member id in an invalid operation, if any. */
function idIn(operation: unknown): string | null {
  const { id } = (operation ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

/** How operations are parsed, and what their errors become. */
export interface Reading {
  /** Validates an operation as it was sent. Errors: 422. */
  read(operation: unknown): BulkOperation;
  toApiError(error: unknown): ApiError;
}

/**
 * Executes operations in order, each in its own transaction, and returns their results. A failed operation
 * does not stop the others. A repeat with the same key skips what succeeded and executes what failed. A dry
 * run changes nothing. Errors: 409 `idempotency_conflict` if the key was used for another request; nothing is
 * done then.
 */
export async function changeMembers(
  deps: Deps,
  caller: Principal,
  operations: unknown[],
  { read, toApiError }: Reading,
  { idempotency, isTrial = false }: { idempotency: IdempotencyKey | null; isTrial?: boolean },
): Promise<BulkResult[]> {
  if (idempotency)
    await transaction(deps.db, (tx) => boundBefore(tx, caller.workspace_id, idempotency, 'bulk'));
  const results: BulkResult[] = [];
  for (const [index, operation] of operations.entries()) {
    const op = (operation as { op?: unknown } | null)?.op ?? null;
    // Headers cannot contain a line break, so the keys of operations never equal the keys of other requests.
    const key = idempotency && { ...idempotency, key: `${idempotency.key}\n${index}` };
    try {
      const id = await execute(deps, caller, read(operation), key, isTrial ? dryRun : transaction);
      results.push({ index, op, status: 'ok', id });
    } catch (error) {
      results.push({ index, op, status: 'error', id: idIn(operation), error: toApiError(error) });
    }
  }
  return results;
}
