import { findZoneName } from '../../db/queries/time-zones.js';
import type { Tx } from '../../db/transaction.js';
import { invalidField } from '../../domain/errors.js';
import { isZoneName, ZONE_RULE } from '../../domain/time-zone.js';

/**
 * A zone as it is stored: in IANA's letter case. Errors: 422 `validation_failed` for one that is no
 * `Area/Place`, or that the process or Postgres does not know (docs/rules/workspace.md#time-zones).
 */
export async function storedZone(tx: Pick<Tx, 'connection'>, zone: string): Promise<string> {
  const name = isZoneName(zone) ? await findZoneName(tx, zone) : null;
  if (name === null) throw invalidField('time_zone', ZONE_RULE);
  return name;
}
