import { textsIn, type Rule, type Tree } from './rule.js';

/** Columns, as in `.oxfmtrc.json` and `.editorconfig`. */
const WIDTH = 110;
const WRAPPED = /^(?!test\/histories\/).*\.(tsx?|m?js|css|sql|ya?ml|sh|md)$/;

/** Lines that may be longer, because nothing in them can be wrapped, or the formatter joins them again. */
const EXEMPT = [
  // One long word: an address, a digest, a pattern.
  /^\s*(\S{1,12} )?\S+$/,
  // A regular expression.
  /^\s*((export )?const \w+ = |\w+: )?\/[^/*].*\/[a-z]*[),;]*$/,
  // A title, which is one text so that it can be found: of a test, or of a case by its key.
  /^\s*test(\.\w+)*\((['"`]).*\2, .*([({[]|=>)$/,
  /^\s*(['"]).*\1: [`({[]$/,
  // A row of a table.
  /^\s*\|.*\|$/,
];

/** Messages, whose types are their texts, which a concatenation would lose. */
const CATALOGS = /^domain\/words\/\w+\//;
const MESSAGE = /^\s*(['"]).*\1,$/;

/** The lines of a file that are too long and could be wrapped. */
function* longLines(tree: Tree, path: string): Iterable<string> {
  const exempt = CATALOGS.test(path) ? [...EXEMPT, MESSAGE] : EXEMPT;
  for (const [index, line] of tree.read(path).split('\n').entries()) {
    // The formatter puts a space between elements after a full line.
    const columns = [...line.replace(/\{' '\}$/, '')].length;
    if (columns > WIDTH && !exempt.some((pattern) => pattern.test(line)))
      yield `${path}:${index + 1}: ${columns} columns, more than ${WIDTH}`;
  }
}

export const width: Rule = {
  name: 'width',
  *check(tree) {
    for (const path of tree.paths(WRAPPED)) yield* longLines(tree, path);
  },
  refused: [
    ...textsIn('README.md', ['word '.repeat(23), `- [a](b) ${'word '.repeat(22)}`]),
    ...textsIn('domain/x.ts', [
      `// ${'word '.repeat(23)}`,
      `const text = '${'word '.repeat(23)}';`,
      `t.regex(text, '${'word '.repeat(23)}');`,
    ]),
    ...textsIn('db/x.sql', [`SELECT a FROM b WHERE ${'c AND '.repeat(20)}`]),
  ],
  accepted: [
    ...textsIn('README.md', ['word '.repeat(22), `| ${'word '.repeat(23)}|`, `- https://${'x'.repeat(110)}`]),
    ...textsIn('domain/x.ts', [
      `const PATTERN = /${'word '.repeat(23)}/;`,
      `test('${'word '.repeat(23)}', async (t) => {`,
    ]),
    { 'test/histories/x.js': 'word '.repeat(23) },
  ],
};
