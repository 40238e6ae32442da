import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

/** What writes to people of a workspace, payers and API clients: pages, mail, errors, the API document, what a run waits for. */
const FOLDERS = ['web', 'api', 'domain', 'contract', 'commands', 'workflows', 'activities'];
const SOURCES = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);

/** The word, and those of its vocabulary that mean nothing to them. */
const WORDS = /\btemporal\b|\bworkflows?\b|\btask queue\b|\bworkers?\b/i;

/**
 * Sentences with such a word that reach only the people who run the service: links that `runUrl` gives to nobody else, logs,
 * what runs of the scheduled jobs say, which belong to no workspace, and mail to `OPERATOR_EMAILS`.
 */
const FOR_OPERATORS = new Set([
  'Open workflow in Temporal',
  'Open in Temporal',
  'dashboard could not query Temporal',
  "… could not be processed: see the worker's log.",
  'workers have seen a later state of the database',
  'the Temporal namespace is another one than before, so it cannot say how far the database was',
  "failed for … workspaces. See the worker's log; the next run tries them again.",
  "failed for … members. See the worker's log; the next run tries them again.",
  "failed for …. See the worker's log; the next run tries them again.",
  "failed for ……. See the worker's log; the next run tries them again.",
]);

/** The sentences of a source: literals and texts between tags that have a space. */
function sentencesOf(source: string, isPage: boolean): string[] {
  const code = source
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^import [^]*?;$/gm, '');
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g) ?? [];
  const texts = isPage ? (code.match(/>[^<>{}=;]*[A-Za-z][^<>{}=;]*</g) ?? []) : [];
  return [...literals, ...texts]
    .map((text) =>
      text
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, '…')
        .replaceAll('\\', '')
        .trim()
        .replaceAll(/\s+/g, ' '),
    )
    .filter((text) => text.includes(' '));
}

test('what tenants and payers read has no word of the engine below', (t) => {
  const found = SOURCES.flatMap((file) =>
    sentencesOf(readFileSync(file, 'utf8'), file.endsWith('.tsx'))
      .filter((sentence) => WORDS.test(sentence) && !FOR_OPERATORS.has(sentence))
      .map((sentence) => `${file}: ${sentence}`),
  );
  t.deepEqual(found, []);
});

test('the scan reads literals, templates and texts between tags, and no comments', (t) => {
  const source = `import x from 'temporal is';\n/** Temporal is. */\nconst a = 'Ask Temporal.', b = \`A \${c} workflow\`;\n<p>The worker stopped</p>`;
  t.deepEqual(
    sentencesOf(source, true).filter((sentence) => WORDS.test(sentence)),
    ['Ask Temporal.', 'A … workflow', 'The worker stopped'],
  );
});
