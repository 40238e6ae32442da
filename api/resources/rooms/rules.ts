import type { Room } from '../../../db/rows.js';
import { lockTaxCodes } from '../../../db/queries/workspaces/tax-code.js';
import type { Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import type { RoomBody } from './schema.js';

/** Errors: 422 `validation_failed` for a tax code that the workspace does not have. */
export async function assertTaxCode(tx: Tx, workspaceId: string, code: string): Promise<void> {
  const known = await lockTaxCodes(tx, workspaceId);
  if (known.some((tax) => tax.code === code)) return;
  const message = `The workspace has no tax code ${code}. Send one of its tax_codes or add this one.`;
  throw new ApiError('validation_failed', message, { param: 'tax_code' });
}

/** Errors: 422 `validation_failed` if the longest booking is shorter than the shortest one. */
export function assertLengths({ min_minutes, max_minutes }: Pick<Room, 'min_minutes' | 'max_minutes'>): void {
  if (min_minutes === null || max_minutes === null || max_minutes >= min_minutes) return;
  throw new ApiError('validation_failed', 'max_minutes must not be less than min_minutes.', {
    param: 'max_minutes',
  });
}

/** The columns of a room's fields. */
export function columnsOf({ price_per_hour, ...rest }: RoomBody): Partial<Room> {
  if (!price_per_hour) return rest;
  const { currency, amount_minor } = price_per_hour;
  return { ...rest, currency, price_per_hour_minor: amount_minor };
}
