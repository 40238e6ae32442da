import { newId } from '../../db/ids.js';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import { countInvite } from '../../db/repositories/mail/mail-limits.js';
import { archiveMember } from '../../db/repositories/members/archive-member.js';
import { createMember } from '../../db/repositories/members/create-member.js';
import { updateMember } from '../../db/repositories/members/update-member.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { bulkCost } from '../../domain/limits.js';
import { assertCan, authorize, hasScope, type Principal } from '../../domain/policies.js';
import type { ApiDependencies } from '../dependencies.js';
import { readJson } from '../http/body.js';
import type { ApiContext, Handler } from '../http/context.js';
import { internalError } from '../http/errors.js';
import { idempotencyOf } from '../http/idempotency.js';
import { withFacts } from '../http/route-facts.js';
import { validate } from '../http/validate.js';
import { MAX_OPERATIONS, OPERATION_SCHEMAS, type Operation } from './schema.js';

interface Result {
  index: number;
  op: unknown;
  status: 'ok' | 'error';
  id: string | null;
  error?: { code: string; message: string; param?: string; details?: Record<string, unknown> };
}

/** Requires the rights for at least one kind of operation. Each operation is authorized separately. */
export const requiresAnyOperation: Handler = withFacts(
  { scope: 'members:write', capability: 'update_others' },
  async (ctx, next) => {
    const { principal } = ctx.state;
    if (!hasScope(principal, 'members:invite') && !hasScope(principal, 'members:delete'))
      authorize(principal, 'members:write', 'update_others');
    assertCan(principal.role, 'update_others');
    await next();
  },
);

/** The cost of a bulk request against its key's bucket: a tenth of its operations, at least 1. */
export async function costOfBulk(ctx: ApiContext): Promise<number> {
  // A body that cannot be read is refused later, after the caller has been authenticated.
  const body = (await readJson(ctx).catch(() => null)) as { operations?: unknown } | null;
  const operations = body && Array.isArray(body.operations) ? body.operations.length : 0;
  return bulkCost(Math.min(operations, MAX_OPERATIONS));
}

function validated(operation: unknown): Operation {
  const { op } = (operation ?? {}) as { op?: unknown };
  if (typeof op !== 'string' || !Object.hasOwn(OPERATION_SCHEMAS, op))
    throw new ApiError('validation_failed', 'op must be create, update or archive.', { param: 'op' });
  return validate(OPERATION_SCHEMAS[op as Operation['op']], operation, false) as Operation;
}

/** The id that an invalid operation names, if any. */
function idIn(operation: unknown): string | null {
  const { id } = (operation ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

/** Executes one operation in a transaction of its own and returns the member's id. */
async function execute(
  { db, mailQuotas }: Pick<ApiDependencies, 'db' | 'mailQuotas'>,
  principal: Principal,
  operation: Operation,
  key: IdempotencyKey | null,
): Promise<string> {
  switch (operation.op) {
    case 'create': {
      authorize(principal, 'members:invite', 'invite_members');
      const { op: _op, ...request } = operation;
      const id = newId('mem');
      return transaction(db, async (tx) => {
        const bound = await bindKey(tx, principal.workspace_id, key, id);
        if (bound !== id) return bound;
        await createMember(tx, principal, { ...request, id });
        await countInvite(tx, mailQuotas, id);
        return id;
      });
    }
    case 'update': {
      authorize(principal, 'members:write', 'update_own_profile');
      const { op: _op, id, ...changes } = operation;
      await transaction(db, async (tx) => {
        await updateMember(tx, principal, id, changes);
        await countInvite(tx, mailQuotas, id);
      });
      return id;
    }
    case 'archive': {
      authorize(principal, 'members:delete', 'archive_members');
      await transaction(db, (tx) => archiveMember(tx, principal, operation.id));
      return operation.id;
    }
  }
}

/**
 * `POST /v1/members.bulk` (docs/rules/members.md#bulk-operations): executes the operations in order, each in a transaction
 * of its own. A failed operation is reported in its result and stops no other. A repeat with the same `Idempotency-Key`
 * creates no member twice.
 */
export function bulk(deps: Pick<ApiDependencies, 'db' | 'log' | 'mailQuotas'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { operations } = ctx.state.body as { operations: unknown[] };
    const idempotency = idempotencyOf(ctx);
    const results: Result[] = [];
    for (const [index, operation] of operations.entries()) {
      const op = (operation as { op?: unknown } | null)?.op ?? null;
      // Headers cannot contain a line break, so the keys of operations never equal those of other requests.
      const key = idempotency && { ...idempotency, key: `${idempotency.key}\n${index}` };
      try {
        const id = await execute(deps, principal, validated(operation), key);
        results.push({ index, op, status: 'ok', id });
      } catch (error) {
        results.push({ index, op, status: 'error', id: idIn(operation), error: reported(ctx, error) });
      }
    }
    const ok = results.filter(({ status }) => status === 'ok').length;
    ctx.status = 200;
    ctx.body = { results, summary: { ok, error: results.length - ok } };
  };

  function reported(ctx: ApiContext, error: unknown): Result['error'] {
    const known = error instanceof ApiError;
    if (!known) deps.log.error({ err: error, requestId: ctx.state.requestId }, 'bulk operation failed');
    const { code, message, context } = known ? error : internalError();
    const { param, details } = context;
    return { code, message, param, details };
  }
}
