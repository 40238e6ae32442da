import { posix } from 'node:path';
import { textsIn, type Files, type Rule, type Tree } from './rule.js';

/** The name of a Markdown file, with or without an anchor: `docs/rules/rooms.md#slot-grid`, `README.md`. */
const DOCUMENT = /(?<![\w/.:-])(?<path>(?:\.{1,2}\/)*[\w-][\w./-]*\.md)(?:#(?<anchor>[\w%-]+))?(?![\w/])/g;
/** The path of a source file in Markdown or a comment, between backticks: `domain/money.ts`. */
const SOURCE = /`(?<path>[\w.-]+\/[\w./-]+\.(?:tsx?|mjs|js|sql|sh|css))`/g;
/** A link or an image in Markdown: `[text](target "title")`. */
const LINK = /\[[^\]]*\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)/g;
/** Citations of documents outside the repository: an issue, a numbered case, a contract. */
const ELSEWHERE = /\bissue \d+\b|\(cases? \d+\)|\(contract:\s/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const FENCE = /^\s*(```|~~~)/;

/** The lines of a Markdown text, with those in fenced code blocks replaced by empty ones. */
function prose(text: string): string[] {
  let fenced = false;
  return text.split('\n').map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    return fenced || isFence ? '' : line;
  });
}

/** The anchors that GitHub gives the headings of a Markdown text, in order. Repeated ones are numbered. */
export function listAnchors(markdown: string): string[] {
  const seen = new Map<string, number>();
  return prose(markdown).flatMap((line) => {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) return [];
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return [times === 0 ? slug : `${slug}-${times}`];
  });
}

/** Why a target does not exist; null if it does. `paths` are its possible paths. */
function findTargetFault(tree: Tree, paths: string[], anchor: string | undefined): string | null {
  const path = paths.find(tree.has);
  if (path === undefined) return 'no such file';
  if (anchor === undefined || !path.endsWith('.md')) return null;
  return listAnchors(tree.read(path)).includes(decodeURIComponent(anchor)) ? null : 'no such heading';
}

/** A document is cited by its path from the root of the repository, or relative to the citing file. */
function brokenDocuments(tree: Tree, file: string, line: string): string[] {
  return [...line.matchAll(DOCUMENT)].flatMap(({ 0: citation, groups }) => {
    const { path, anchor } = groups as { path: string; anchor?: string };
    const here = posix.join(posix.dirname(file), path);
    const fault = findTargetFault(tree, [posix.normalize(path), here], anchor);
    return fault ? [`${citation}: ${fault}`] : [];
  });
}

/** A source file is named by its path from the root of the repository, or from the file that names it. */
const brokenSources = (tree: Tree, file: string, line: string): string[] =>
  [...line.matchAll(SOURCE)].flatMap(({ groups }) => {
    const { path } = groups as { path: string };
    if (path.startsWith('build/')) return [];
    const fault = findTargetFault(tree, [path, posix.join(posix.dirname(file), path)], undefined);
    return fault ? [`${path}: ${fault}`] : [];
  });

/** A link is relative to its file. Links to other sites and to paths of a running service are ignored. */
function brokenLinks(tree: Tree, file: string, line: string): string[] {
  return [...line.matchAll(LINK)].flatMap(({ groups }) => {
    const { target } = groups as { target: string };
    if (SCHEME.test(target) || target.startsWith('/')) return [];
    const [path = '', anchor] = target.split('#');
    const at = path === '' ? file : posix.join(posix.dirname(file), path);
    const fault = findTargetFault(tree, [at], anchor);
    return fault ? [`${target}: ${fault}`] : [];
  });
}

/** Cites missing documents to prove that they are found; names documents of packages; has no text. */
const EXCEPTED = /^(dev\/lint\/citations\.ts|package-lock\.json|.*\.(png|pem|key))$/;

/**
 * What a file cites that is not in the repository: documents and headings, issues and the like, relative
 * links in Markdown.
 */
function* brokenCitations(tree: Tree): Iterable<string> {
  for (const file of tree.paths(/./)) {
    if (EXCEPTED.test(file)) continue;
    const text = tree.read(file);
    const links = file.endsWith('.md') ? prose(text) : [];
    for (const [index, line] of text.split('\n').entries()) {
      // A link is checked only as a link: its path is not relative to the root.
      const outsideLinks = links[index] ? line.replace(LINK, '') : line;
      for (const fault of [
        ...brokenDocuments(tree, file, outsideLinks),
        ...brokenSources(tree, file, line),
        ...[...line.matchAll(ELSEWHERE)].map(([citation]) => `${citation}: not in the repository`),
        ...brokenLinks(tree, file, links[index] ?? ''),
      ])
        yield `${file}:${index + 1}: ${fault}`;
    }
  }
}

const HEADINGS = `# Holdfast
## Late payments
### \`PATCH\` and cancel, step by step!
## A [link](https://example.com) in it ##
\`\`\`sh
# a comment, no heading
\`\`\`
## Late payments
## Zeitzonen für Köln
[1](#holdfast) [2](#late-payments) [3](#patch-and-cancel-step-by-step) [4](#a-link-in-it)
[5](#late-payments-1) [6](#zeitzonen-für-köln)`;
const ROOMS = { 'docs/rules/rooms.md': '# Rooms\n\n## Slot grid\n' };

export const citations: Rule = {
  name: 'citations',
  check: brokenCitations,
  refused: [
    ...textsIn('domain/rooms/grid.ts', [
      '// docs/rules/rooms.md#grid',
      '\n * (docs/rules/room.md#grid)',
      'const x = 1; // as spec.md says',
      '/** decisions.md, "Rooms" */',
      "throw new Error('see docs/rooms.md');",
      '// A link by mail (issue 7, point 4).',
      "test('a lost response (case 22)');",
    ]),
    ...textsIn('db/schema.sql', ['-- design.md']),
    ...textsIn('README.md', [
      'See [rooms](docs/rooms.md).',
      'See [rooms](docs/rules/rooms.md#grid).',
      'See [below](#nowhere).',
      'See [code](domain/nothing.ts).',
      'See `domain/nothing.ts`.',
      '```sh\ncat real-xero.md\n```',
      '# One\n#no heading\n[x](#no-heading)',
    ]),
    ...textsIn('docs/rules/api.md', ['[rooms](docs/rules/rooms.md)']),
  ].map((files: Files) => ({ ...ROOMS, ...files })),
  accepted: [
    { 'docs/x.md': HEADINGS },
    {
      ...ROOMS,
      'docs/rules/api.md':
        'As in [rooms](rooms.md#slot-grid), [here](#api), [above](../internals/architecture.md).\n# API\n',
      'docs/internals/architecture.md':
        '[rules](../rules/), [code](../../domain/rooms/grid.ts), `docs/rules/rooms.md`',
      'domain/rooms/grid.ts':
        '/** The grid (docs/rules/rooms.md#slot-grid). */\n// see docs/rules/api.md.\nctx.md5 = 1;',
      'db/schema.sql': "-- docs/rules/rooms.md#rooms\nSELECT '[x](y)';",
      'README.md':
        '[site](https://example.com/spec.md), [docs](docs/internals/temporal.md "The map"), `/docs` and *.md',
    },
  ],
};
