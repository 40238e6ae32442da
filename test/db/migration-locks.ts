import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'db/migrations';
/** Creates the schema, so it changes nothing that is in use. */
const INITIAL = '1764000000000-initial-schema.ts';

/** The sources of all migrations that change a schema in use, by file. */
export const laterMigrations = (): [file: string, source: string][] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && file !== INITIAL)
    .map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]);

/** Statements that lock a table of a running service for as long as they read or write all of it. */
const LONG_LOCKS: { found: RegExp; instead: string }[] = [
  {
    found: /\bCREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)/i,
    instead: 'CREATE INDEX CONCURRENTLY, in a migration with `transaction = false`',
  },
  { found: /\bDROP\s+INDEX\s+(?!CONCURRENTLY)/i, instead: 'DROP INDEX CONCURRENTLY' },
  { found: /\bREINDEX\b(?!.*CONCURRENTLY)/i, instead: 'REINDEX … CONCURRENTLY' },
  {
    found: /\bADD\s+(CONSTRAINT\s+\S+\s+)?(CHECK|FOREIGN\s+KEY)\b(?![^;]*NOT\s+VALID)/i,
    instead: 'NOT VALID, and VALIDATE CONSTRAINT in a later migration',
  },
  {
    found:
      /\bADD\s+(COLUMN\s+)?(IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b)\w+\s[^;]*\b(CHECK|REFERENCES)\b/i,
    instead:
      'the column without it, then ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in a later migration',
  },
  {
    found: /\bADD\s+(CONSTRAINT\s+\S+\s+)?(UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b(?!\s+USING\s+INDEX)/i,
    instead: 'a unique index, created concurrently, and ADD … USING INDEX',
  },
  {
    found: /\bALTER\s+(COLUMN\s+)?\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
    instead: 'a new column, filled in steps',
  },
  { found: /\bSET\s+NOT\s+NULL\b/i, instead: 'CHECK (… IS NOT NULL) NOT VALID, validated later' },
  {
    found: /\bADD\s+(COLUMN\s+)?\S+\s[^;]*\bGENERATED\s+ALWAYS\s+AS\s*\([^;]*\bSTORED\b/i,
    instead: 'a column that is filled in steps',
  },
  { found: /\bADD\s+(COLUMN\s+)?\S+\s[^;]*\bDEFAULT\s+\w*random\w*\(/i, instead: 'a constant default' },
  { found: /\b(VACUUM\s+FULL|CLUSTER|LOCK\s+TABLE|TRUNCATE)\b/i, instead: 'nothing of the kind' },
  { found: /^\s*(UPDATE|DELETE)\b(?![^;]*\bLIMIT\b)/im, instead: 'steps of some thousand rows, by a job' },
];

/** Tables that the same migration creates: nobody uses them yet. */
const createdBy = (sql: string): string[] =>
  [...sql.matchAll(/\bCREATE\s+TABLE\s+(\w+)/gi)].map(([, name]) => name!);

/** For each statement with a long lock, what to do instead (CONTRIBUTING.md#add-a-migration). */
export function findLongLocks(sql: string): string[] {
  const own = createdBy(sql);
  const statements = sql.split(';').map((text) => text.trim());
  return statements
    .filter((text) => !/^CREATE\s+TABLE/i.test(text))
    .filter((text) => !own.some((table) => new RegExp(`\\b(ON|TABLE)\\s+${table}\\b`, 'i').test(text)))
    .flatMap((text) =>
      LONG_LOCKS.filter(({ found }) => found.test(text)).map(
        ({ instead }) => `${text.replace(/\s+/g, ' ').slice(0, 60)}: use ${instead}`,
      ),
    );
}

/** The SQL of a migration's `up`. */
export const sqlOf = (source: string): string => {
  const up = /async up\b([\s\S]*?)\n {2}async down\b/.exec(source)?.[1] ?? '';
  return [...up.matchAll(/query\(\s*(`[^`]*`|'[^']*'|"[^"]*")/g)]
    .map(([, text]) => text!.slice(1, -1))
    .join(';\n');
};
