import type { DataSource } from 'typeorm';

/** The rows of a database: by table, as a JSON array. */
export type Backup = Map<string, string>;

interface Table {
  name: string;
  /** False for an unlogged table. */
  logged: boolean;
  columns: { name: string; type: string }[];
  /** The column with the table's sequence. */
  counter: string | null;
}

/** All tables except that of the migrations, with their stored columns. */
const readTables = (db: DataSource): Promise<Table[]> =>
  db.query(
    `SELECT c.relname AS name, c.relpersistence = 'p' AS logged,
            json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL))
              ORDER BY a.attnum)
              AS columns,
            max(a.attname) FILTER (WHERE a.attidentity <> '') AS counter
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.oid ORDER BY c.relname`,
  );

type Query = (statement: string, parameters?: unknown[]) => Promise<unknown>;

/** Runs `work` as a restore does: without foreign keys and triggers. */
async function asRestore(
  db: DataSource,
  work: (query: Query) => Promise<void>,
  lockTimeoutMs = 0,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = replica`);
    // Other processes that use the database in the meantime lose a deadlock.
    await tx.query(`SET LOCAL deadlock_timeout = '30s'`);
    await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await work((statement, parameters) => tx.query(statement, parameters));
  });
}

/** Takes a consistent copy of all rows, without those of unlogged tables, as pg_dump does. */
export async function backUp(db: DataSource): Promise<Backup> {
  const backup: Backup = new Map();
  const tables = (await readTables(db)).filter(({ logged }) => logged);
  await db.transaction('REPEATABLE READ', async (tx) => {
    for (const { name } of tables) {
      const [{ rows }] = await tx.query(`SELECT coalesce(json_agg(t), '[]')::text AS rows FROM ${name} t`);
      backup.set(name, rows);
    }
  });
  return backup;
}

/**
 * Replaces all rows of a migrated database by those of a backup. Fails if processes that use it hold a lock
 * for longer than the timeout; 0 waits indefinitely.
 */
export async function restore(db: DataSource, backup: Backup, lockTimeoutMs = 0): Promise<void> {
  const tables = await readTables(db);
  await asRestore(
    db,
    async (query) => {
      await query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
      for (const { name, columns, counter } of tables) {
        const names = columns.map((column) => column.name).join(', ');
        await query(
          `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE
         SELECT ${names} FROM json_populate_recordset(NULL::${name}, $1)`,
          [backup.get(name) ?? '[]'],
        );
        if (counter)
          await query(
            `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${counter}), 0) + 1, false)
              FROM ${name}`,
            [name, counter],
          );
      }
    },
    lockTimeoutMs,
  );
}

/** The columns with the times of bookings. */
const APPOINTMENTS = ['start_at', 'end_at'];

/** Moves all times of a database into the past, as `letTimePass` does. */
export const letHoursPass = (db: DataSource, hours: number): Promise<void> =>
  letTimePass(db, `${hours} hours`);

/**
 * Moves all times of a database into the past, as if an interval had passed, except the times of bookings.
 */
export async function letTimePass(db: DataSource, interval: string): Promise<void> {
  const tables = await readTables(db);
  await asRestore(db, async (query) => {
    for (const { name, columns } of tables) {
      const isPassing = (column: { name: string; type: string }): boolean =>
        column.type === 'timestamp with time zone' && !APPOINTMENTS.includes(column.name);
      const changes = columns
        .filter(isPassing)
        .map((column) => `${column.name} = ${column.name} - $1::interval`);
      if (changes.length > 0) await query(`UPDATE ${name} SET ${changes.join(', ')}`, [interval]);
    }
  });
}
