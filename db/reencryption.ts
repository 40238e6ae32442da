import type { DataSource } from 'typeorm';
import { ENCRYPTED_COLUMNS } from './encrypted-columns.js';
import type { Encryption } from './encryption.js';
import { affected, many, one } from './query.js';

const PAGE = 200;

/** The result of a run, and what is left to do. */
export interface Reencryption {
  reencrypted: number;
  /**
   * Values that were encrypted with other keys than the first one, in the meantime, by processes that still
   * use those.
   */
  remaining: number;
  /** How many of these none of the keys decrypts. */
  unreadable: number;
}

/**
 * Encrypts every stored value that was encrypted with another key with the first key
 * (docs/guides/keys.md#rotate-the-encryption-key). Can run while the service runs, and be stopped and
 * repeated at any time: a value that changes in the meantime stays as it is.
 */
export async function reencrypt(db: DataSource, encryption: Encryption): Promise<Reencryption> {
  const { prefix } = encryption;
  const done: Reencryption = { reencrypted: 0, remaining: 0, unreadable: 0 };
  for (const { table, column, key, context } of ENCRYPTED_COLUMNS) {
    const outdated = `${column} IS NOT NULL AND substring(${column} FOR ${prefix.length}) <> $1`;
    for (let after = ''; ;) {
      const rows = await many<{ id: string; value: Buffer }>(
        db.manager,
        `SELECT ${key} AS id, ${column} AS value FROM ${table} WHERE ${outdated} AND ${key} > $2
         ORDER BY ${key} LIMIT ${PAGE}`,
        [prefix, after],
      );
      for (const { id, value } of rows) {
        const plaintext = decrypted(encryption, value, context(id));
        if (plaintext === null) done.unreadable++;
        else
          done.reencrypted += await affected(
            db.manager,
            `UPDATE ${table} SET ${column} = $3 WHERE ${key} = $1 AND ${column} = $2`,
            [id, value, encryption.encrypt(plaintext, context(id))],
          );
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.id;
    }
    const { count } = await one<{ count: number }>(
      db.manager,
      `SELECT count(*)::int AS count FROM ${table} WHERE ${outdated}`,
      [prefix],
    );
    done.remaining += count;
  }
  return done;
}

function decrypted(encryption: Encryption, value: Buffer, context: string): string | null {
  try {
    return encryption.decrypt(value, context);
  } catch {
    return null;
  }
}
