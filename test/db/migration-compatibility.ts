/** Statements that the previous release, which still runs, does not survive. */
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

/** A table or a column is dropped; not a constraint, an index or a property of a column. */
const DROP =
  /\bDROP\s+(TABLE|VIEW)\b|\bALTER\s+TABLE\b[^;]*\bDROP\s+(COLUMN\s+)?(IF\s+EXISTS\s+)?(?!CONSTRAINT\b|DEFAULT\b|NOT\b|EXPRESSION\b|IDENTITY\b|COLUMN\b|IF\b)\w+/i;
const UNUSED_SINCE = /--\s*unused since (\S+)/i;

const short = (statement: string): string =>
  statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim().slice(0, 60);

/**
 * For each statement that would break the release before, what to do instead (CONTRIBUTING.md#add-a-migration).
 * `released`: versions that have been released; what none of them uses may be dropped.
 */
export function findBreaks(sql: string, released: string[]): string[] {
  return sql.split(';').flatMap((statement) => {
    const broken = BREAKS.filter(({ found }) => found.test(statement)).map(
      ({ instead }) => `${short(statement)}: use ${instead}`,
    );
    if (!DROP.test(statement)) return broken;
    const [, version] = UNUSED_SINCE.exec(statement) ?? [];
    if (version !== undefined && released.includes(version)) return broken;
    const instead = 'a comment "-- unused since <version>" with a released version of CHANGELOG.md';
    return [...broken, `${short(statement)}: use ${instead}`];
  });
}

/** The versions that a changelog lists as released. */
export const releasedIn = (changelog: string): string[] =>
  [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].map(([, version]) => version!);

/**
 * Names the tables in use that a transaction locks, if they are several: it would hold one while it waits for the next.
 */
export function findSharedLocks(source: string, sql: string): string[] {
  if (/\btransaction = false\b/.test(source)) return [];
  const own = new Set([...sql.matchAll(/\bCREATE\s+TABLE\s+(\w+)/gi)].map(([, name]) => name));
  const altered = [...sql.matchAll(/\bALTER\s+TABLE\s+(?:ONLY\s+)?(\w+)/gi)].map(([, name]) => name!);
  const others = [...new Set(altered)].filter((name) => !own.has(name));
  return others.length > 1
    ? [`${others.join(', ')}: use a migration for each, or \`transaction = false\``]
    : [];
}
