import { type Files, type Rule, type Tree } from './rule.js';

const LATER = /^db\/migrations\/(?!1764000000000-initial-schema)[^/]+\.ts$/;

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
  { found: /\b(VACUUM\s+FULL|CLUSTER|LOCK\s+TABLE|TRUNCATE)\b/i, instead: 'no such statement' },
  { found: /^\s*(UPDATE|DELETE)\b(?![^;]*\bLIMIT\b)/im, instead: 'steps of some thousand rows, by a job' },
];

/** Statements that break the previous release, which is still running. */
const BREAKS: { found: RegExp; instead: string }[] = [
  {
    found: /\bALTER\s+TABLE\b[^;]*\bRENAME\b/i,
    instead: 'a new column or table that both releases fill, and a drop in a later release',
  },
  {
    found:
      /\bADD\s+(COLUMN\s+)?(IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b)\w+\s[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)(?<!\bDEFAULT\b[^,;]*)/i,
    instead: 'a DEFAULT: the previous release inserts rows without the column',
  },
  { found: /\bDROP\s+DEFAULT\b/i, instead: 'the default, until no release relies on it' },
];

/** A table or column is dropped, rather than a constraint, an index or a property of a column. */
const DROP =
  /\bDROP\s+(TABLE|VIEW)\b|\bALTER\s+TABLE\b[^;]*\bDROP\s+(COLUMN\s+)?(IF\s+EXISTS\s+)?(?!CONSTRAINT\b|DEFAULT\b|NOT\b|EXPRESSION\b|IDENTITY\b|COLUMN\b|IF\b)\w+/i;
const UNUSED_SINCE = /--\s*unused since (\S+)/i;

/** The SQL of a migration's `up`, by statement. */
function parseStatements(source: string): string[] {
  const up = /async up\b([\s\S]*?)\n {2}async down\b/.exec(source)?.[1] ?? '';
  return [...up.matchAll(/query\(\s*(`[^`]*`|'[^']*'|"[^"]*")/g)].flatMap(([, text]) =>
    text!.slice(1, -1).split(';'),
  );
}

/**
 * What in a statement breaks the previous release. Anything that none of the `released` versions uses may be
 * dropped.
 */
const breaksIn = (statement: string, released: string[]): string[] => [
  ...BREAKS.filter(({ found }) => found.test(statement)).map(({ instead }) => instead),
  ...(DROP.test(statement) && !released.includes(UNUSED_SINCE.exec(statement)?.[1] ?? '')
    ? ['a comment "-- unused since <version>" with a released version of CHANGELOG.md']
    : []),
];

/** Safe alternatives to statements that stop a running service (CONTRIBUTING.md#add-a-migration). */
function* check(tree: Tree): Iterable<string> {
  const released = [...tree.read('CHANGELOG.md').matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].map(
    ([, version]) => version!,
  );
  for (const path of tree.paths(LATER)) {
    const source = tree.read(path);
    const statements = parseStatements(source);
    const namesIn = (pattern: RegExp): string[] =>
      statements.flatMap((sql) => [...sql.matchAll(pattern)].map(([, name]) => name!));
    // Nothing uses them yet.
    const own = namesIn(/\bCREATE\s+TABLE\s+(\w+)/gi);
    const isOwn = (sql: string): boolean =>
      /^\s*CREATE\s+TABLE/i.test(sql) ||
      own.some((table) => new RegExp(`\\b(ON|TABLE)\\s+${table}\\b`, 'i').test(sql));
    for (const sql of statements)
      for (const instead of [
        ...(isOwn(sql) ? [] : LONG_LOCKS.filter(({ found }) => found.test(sql)).map((lock) => lock.instead)),
        ...breaksIn(sql, released),
      ])
        yield `${tree.at(path, sql.trim())}: use ${instead}`;

    // A transaction would hold one lock while it waits for the next.
    const locked = new Set(
      namesIn(/\bALTER\s+TABLE\s+(?:ONLY\s+)?(\w+)/gi).filter((name) => !own.includes(name)),
    );
    if (locked.size > 1 && !/\btransaction = false\b/.test(source))
      yield `${path}:1: ${[...locked].join(', ')}: use a migration for each, or \`transaction = false\``;
  }
}

/** A migration with these statements, reverted by a statement that no migration may have. */
const migration = (sql: string, head = ''): Files => ({
  'CHANGELOG.md': '## Unreleased\n\n## [1.4.0] - 2027-01-01\n### Added\n',
  'db/migrations/9-x.ts':
    `${head}\n  async up() {\n    await runner.query(\`${sql}\`);\n  }\n\n  async down() {\n    await ` +
    "runner.query('DROP INDEX a');\n  }\n",
});
const TWO = 'ALTER TABLE bookings ADD x integer;\nALTER TABLE rooms ADD x integer';

export const migrations: Rule = {
  name: 'migrations',
  check,
  refused: [
    'CREATE INDEX a ON bookings (x)',
    'CREATE UNIQUE INDEX a ON bookings (x)',
    'DROP INDEX a',
    'ALTER TABLE bookings ADD CONSTRAINT a CHECK (x > 0)',
    'ALTER TABLE bookings ADD CONSTRAINT a FOREIGN KEY (x) REFERENCES rooms',
    'ALTER TABLE bookings ADD UNIQUE (x)',
    'ALTER TABLE bookings ADD x integer CHECK (x > 0)',
    'ALTER TABLE bookings ADD x uuid REFERENCES rooms',
    'ALTER TABLE bookings ALTER COLUMN x TYPE bigint',
    'ALTER TABLE bookings ALTER x SET NOT NULL',
    'ALTER TABLE bookings ADD x integer GENERATED ALWAYS AS (y + 1) STORED',
    'ALTER TABLE bookings ADD x uuid DEFAULT gen_random_uuid()',
    'UPDATE bookings SET x = 1',
    'LOCK TABLE bookings',
    'ALTER TABLE bookings DROP x',
    'ALTER TABLE bookings DROP COLUMN x',
    'ALTER TABLE bookings ADD y text, DROP x',
    'DROP TABLE bookings',
    '-- unused since 1.5.0\nALTER TABLE bookings DROP x',
    'ALTER TABLE bookings RENAME x TO y',
    'ALTER TABLE bookings RENAME TO others',
    'ALTER TABLE bookings ADD x integer NOT NULL',
    'ALTER TABLE bookings ADD COLUMN x integer NOT NULL',
    'ALTER TABLE bookings ALTER x DROP DEFAULT',
    TWO,
  ].map((sql) => migration(sql)),
  accepted: [
    migration(TWO, 'transaction = false;'),
    ...[
      'CREATE INDEX CONCURRENTLY a ON bookings (x)',
      'DROP INDEX CONCURRENTLY x',
      'ALTER TABLE bookings ADD x integer',
      'ALTER TABLE bookings ADD x integer NOT NULL DEFAULT 0',
      'ALTER TABLE bookings ADD x integer DEFAULT 0 NOT NULL',
      'ALTER TABLE bookings ADD CONSTRAINT a CHECK (x IS NOT NULL) NOT VALID',
      'ALTER TABLE bookings VALIDATE CONSTRAINT a',
      '-- unused since 1.4.0\nALTER TABLE bookings DROP x',
      'ALTER TABLE bookings DROP CONSTRAINT x',
      'ALTER TABLE bookings ALTER x DROP NOT NULL',
      `CREATE TABLE more (id text PRIMARY KEY, x integer NOT NULL
        CHECK (x > 0)); CREATE INDEX more_x ON more (x)`,
      'CREATE TABLE more (id text);\nALTER TABLE more ADD x integer',
      'ALTER TABLE rooms ADD x integer;\nALTER TABLE rooms ADD y integer',
    ].map((sql) => migration(sql)),
  ],
};
