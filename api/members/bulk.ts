import { newId } from '../../db/ids.js';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import { archiveMember } from '../../db/repositories/members/archive-member.js';
import { createMember } from '../../db/repositories/members/create-member.js';
import { updateMember } from '../../db/repositories/members/update-member.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { bulkCost } from '../../domain/limits.js';
import { assertCan, authorize, hasScope, type Principal } from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import { readJson } from '../http/body.js';
import type { ApiContext, Handler } from '../http/context.js';
import { idempotencyOf } from '../http/idempotency.js';
import { stating } from '../http/route-facts.js';
import { validate } from '../http/validate.js';
import { MAX_OPERATIONS, OPERATION_SCHEMAS, type Operation } from './schema.js';

interface Result {
  index: number;
  op: unknown;
  status: 'ok' | 'error';
  id: string | null;
  error?: { code: string; message: string; param?: string; details?: Record<string, unknown> };
}

/** Lets in who may do at least one kind of operation; each is checked again by itself. */
export const mayBulk: Handler = stating(
  { scope: 'members:write', capability: 'update_others' },
  async (ctx, next) => {
    const { principal } = ctx.state;
    if (!hasScope(principal, 'members:invite') && !hasScope(principal, 'members:delete'))
      authorize(principal, 'members:write', 'update_others');
    assertCan(principal.role, 'update_others');
    await next();
  },
);

/** What a bulk costs of its key's bucket: a tenth of its operations, at least 1 (decisions.md, "Limits"). */
export async function costOfBulk(ctx: ApiContext): Promise<number> {
  // A body that can't be read is refused in its turn, after whoever sent it is known.
  const body = (await readJson(ctx).catch(() => null)) as { operations?: unknown } | null;
  const operations = body && Array.isArray(body.operations) ? body.operations.length : 0;
  return bulkCost(Math.min(operations, MAX_OPERATIONS));
}

function read(operation: unknown): Operation {
  const { op } = (operation ?? {}) as { op?: unknown };
  if (typeof op !== 'string' || !Object.hasOwn(OPERATION_SCHEMAS, op))
    throw new ApiError('validation_failed', 'op must be create, update or archive.', { param: 'op' });
  return validate(OPERATION_SCHEMAS[op as Operation['op']], operation, false) as Operation;
}

/** The id that an operation names, as far as it can be told of one that is refused. */
function namedId(operation: unknown): string | null {
  const { id } = (operation ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

/**
 * `POST /v1/members.bulk` (decisions.md, "Members"): the operations in their order, each in a transaction of its own;
 * one that fails says so in its row and stops no other. With an `Idempotency-Key` a repeat makes nobody twice.
 */
export function bulk({ db, log }: ApiDependencies): Handler {
  async function run(
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
          if (bound === id) await createMember(tx, principal, { ...request, id });
          return bound;
        });
      }
      case 'update': {
        authorize(principal, 'members:write', 'update_own_profile');
        const { op: _op, id, ...changes } = operation;
        await transaction(db, (tx) => updateMember(tx, principal, id, changes));
        return id;
      }
      case 'archive': {
        authorize(principal, 'members:delete', 'archive_members');
        await transaction(db, (tx) => archiveMember(tx, principal, operation.id));
        return operation.id;
      }
    }
  }

  return async (ctx) => {
    const { principal } = ctx.state;
    const { operations } = ctx.state.body as { operations: unknown[] };
    const idempotency = idempotencyOf(ctx);
    const results: Result[] = [];
    for (const [index, operation] of operations.entries()) {
      const op = (operation as { op?: unknown } | null)?.op ?? null;
      // No header can hold a line break: the keys of the rows meet no other.
      const key = idempotency && { ...idempotency, key: `${idempotency.key}\n${index}` };
      try {
        const id = await run(principal, read(operation), key);
        results.push({ index, op, status: 'ok', id });
      } catch (error) {
        const known = error instanceof ApiError;
        if (!known) log.error({ err: error, requestId: ctx.state.requestId }, 'bulk operation failed');
        const { code, message, context } = known
          ? error
          : new ApiError('internal_error', 'Something went wrong on our side.');
        const { param, details } = context;
        results.push({
          index,
          op,
          status: 'error',
          id: namedId(operation),
          error: { code, message, param, details },
        });
      }
    }
    const ok = results.filter(({ status }) => status === 'ok').length;
    ctx.status = 200;
    ctx.body = { results, summary: { ok, error: results.length - ok } };
  };
}
