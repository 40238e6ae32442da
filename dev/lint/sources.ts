import { ACTIONS } from '../../web/dashboard/audit-log/audit-log.js';
import { formatLocation, refuse, textsIn, type Rule } from './rule.js';

const statuses: Rule = {
  name: 'statuses',
  check: refuse(/^commands\/.*\.ts$/, [
    /\bupdate\([^;]*?\}, \{[^;]*?\b(?:status|state): '/g,
    'a status is set to the target of a transition (domain/states.ts)',
  ]),
  refused: textsIn('commands/x.ts', [`tx.update(Mail, { id }, { sent_at, status: 'sent' });`]),
};

const transactions: Rule = {
  name: 'transactions of commands only',
  check: refuse(/^(api|web)\/.*\.tsx?$/, [
    /\b(?:transaction|createQueryRunner)\(|\b(?:transaction|dryRun)\b(?=[^;]*\/db\/transaction\.js')/g,
    'api/ and web/ open no transaction: what changes something is a command',
  ]),
  refused: textsIn('web/x.tsx', [
    'await db.transaction(async (tx) => {',
    "import { transaction as work, type Tx } from '../../db/transaction.js';",
    "import {\n  dryRun,\n} from '../db/transaction.js';",
    'db.createQueryRunner()',
  ]),
  accepted: textsIn('web/x.tsx', ["import type { Tx } from '../../db/transaction.js';"]),
};

const localTime: Rule = {
  name: 'local time in SQL',
  check: refuse(
    // The exception compares the clocks of Postgres with those of the process.
    /^(?!db\/queries\/time-zones\.ts)(activities|api|commands|db|deploy|domain|ops|web|worker)\/.*\.(tsx?|sql)$/,
    [/AT TIME ZONE|\btimezone\(/g, 'Postgres may not know a zone, or know other rules'],
  ),
  refused: textsIn('db/x.sql', [`SELECT start_at AT TIME ZONE 'UTC'`]),
};

const auditActions: Rule = {
  name: 'audit actions',
  *check(tree) {
    for (const path of tree.paths(/^(commands|db\/queries|api|web|activities)\/.*\.tsx?$/))
      for (const { 1: action, index } of tree.read(path).matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g))
        if (!ACTIONS.includes(action!))
          yield (
            `${formatLocation(path, tree.read(path), index)}: the filter of the ` +
              `audit log has no ${action}`
          );
  },
  refused: textsIn('commands/x.ts', ["{ action: 'booking.sung' }"]),
};

/** The word, and the terms that mean nothing to people of a workspace, payers and API clients. */
const ENGINE = /\btemporal\b|\bworkflows?\b|\btask queue\b|\bworkers?\b/i;

/**
 * Sentences with such a word that only the people who run the service see: links that `runUrl` gives to
 * nobody else, logs, results of scheduled jobs that belong to no workspace, and mail to `OPERATOR_EMAILS`.
 */
const FOR_OPERATORS = new Set([
  'Open workflow in Temporal',
  'Open in Temporal',
  'dashboard could not query Temporal',
  "… could not be processed: see the worker's log.",
  'workers have seen a later state of the database',
  'the Temporal namespace has changed, so it cannot show how current the database was',
  "failed for … workspaces. See the worker's log; the next run tries them again.",
  "failed for … members. See the worker's log; the next run tries them again.",
  "failed for … accounts. See the worker's log; the next run tries them again.",
  "failed for …. See the worker's log; the next run tries them again.",
  "failed for ……. See the worker's log; the next run tries them again.",
]);

const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/;
/** Literals joined by `+` are one sentence. */
const JOINED = new RegExp(`(?:${LITERAL.source})(?:\\s*\\+\\s*(?:${LITERAL.source}))*`, 'g');
const TAGGED = /(?<=>)[^<>{}=;]*[A-Za-z][^<>{}=;]*(?=<)/g;

/** A source without comments and imports, with the same line numbers. */
const stripComments = (source: string): string =>
  source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$|^import [^]*?;$/gm, (left) => left.replaceAll(/[^\n]/g, ''));

/** Finds literals, templates and texts between tags that are sentences with a word of the engine below. */
const engine: Rule = {
  name: 'words of the engine',
  *check(tree) {
    for (const path of tree.paths(/^(web|api|domain|contract|commands|workflows|activities)\/.*\.tsx?$/)) {
      const code = stripComments(tree.read(path));
      for (const pattern of path.endsWith('.tsx') ? [JOINED, TAGGED] : [JOINED])
        for (const { 0: found, index } of code.matchAll(pattern)) {
          const sentence = found
            .replaceAll(/['`"]\s*\+\s*['`"]/g, '')
            .replaceAll(/\$\{[^}]*\}/g, '…')
            .replaceAll(/\\|^['`"]|['`"]$/g, '')
            .trim()
            .replaceAll(/\s+/g, ' ');
          if (sentence.includes(' ') && ENGINE.test(sentence) && !FOR_OPERATORS.has(sentence))
            yield `${formatLocation(path, code, index)}: ${sentence}`;
        }
    }
  },
  refused: textsIn('web/x.tsx', [
    "const a = 'Ask Temporal.';",
    'const b = `A ${c} workflow`;',
    "const d = 'A work' +\n  'flow.';",
    '<p>The worker stopped</p>',
  ]),
  accepted: textsIn('web/x.tsx', ["import x from 'temporal is';\n/** Temporal is. */\n  // A 'worker is'"]),
};

/**
 * A name such as `stateOf` does not say what the function returns. Names start with a verb, or are the thing
 * itself.
 */
const names: Rule = {
  name: 'names',
  check: refuse(/^(?!dev\/lint\/sources\.ts).*\.(tsx?|mjs|js)$/, [
    /\b(?:function|const) (?!oneOf\b|asOf\b)\w+Of\b/g,
    'a name must not end in Of',
  ]),
  refused: textsIn('domain/x.ts', ['export function stateOf(', 'const totalOf = (lines) =>']),
  accepted: textsIn('domain/x.ts', ['const oneOf = (values) =>', 'const offset = 1;']),
};

/** Labels say in one way that a field can stay empty, in the language of the page. */
const optionalFields: Rule = {
  name: 'optional fields',
  check: refuse(/^(web\/.*\.tsx?|domain\/words\/.*(?<!page)\.ts)$/, [
    /[(,] ?(?:optional|opcional|facultatif|required)\)|\b(?:label|placeholder)(?:=|: )['"`][^'"`\n]*(?:\*|\boptional\b)/gi,
    'the label of a field without `required` says it by itself (web/dashboard/shared/fields.tsx)',
  ]),
  refused: textsIn('web/x.tsx', [
    "reason: 'Reason (optional)',",
    "{ label: 'Length (minutes, optional)' }",
    '<TextField name="x" label="Reason *" />',
    '<TextField name="x" label="Reason" placeholder="Optional" />',
  ]),
  accepted: textsIn('web/x.tsx', ['<TextField name="x" label="Reason" required />', 'optional: false,']),
};

export const sources: Rule[] = [
  statuses,
  transactions,
  localTime,
  auditActions,
  engine,
  names,
  optionalFields,
];
