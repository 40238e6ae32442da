import { IN_COMMAND_TEST, isShell, listCodeBlocks, reasonNotToRun, type CodeBlock } from './code-blocks.js';
import { formatLocation, textsIn, unless, type Rule } from './rule.js';

/** How a block of commands that the test runs may be marked (test/docs/commands.test.ts). */
const RUNS = ['', 'setup', 'fails'];

/** Programs and hosts that the test does not have, or may not use. */
const NEEDS_MORE =
  /^\s*((?:docker|kubectl|kustomize|tcld|temporal|pg_dump|pg_restore|psql|npm|npx|git|ops\/\S+)\b)|(https:\/\/[\w.-]*example\.com)/m;

/** What is wrong with how a block of commands is marked; null if nothing is. */
function findFault(file: string, block: CodeBlock): string | null {
  if (block.language !== 'sh') return `the language of commands is sh, not ${block.language}`;
  if (reasonNotToRun(block)) return null;
  if (!IN_COMMAND_TEST.test(file)) return 'no test runs these commands: mark them `sh no-run: <why>`';
  const [needed] = NEEDS_MORE.exec(block.text) ?? [];
  if (needed) return `the test has no ${needed.trim()}: mark these commands \`sh no-run: <why>\``;
  return RUNS.includes(block.note) ? null : `${block.note}: say \`no-run: <why>\`, or how they run`;
}

/** Commands in documents run in a test, or say why they do not. */
const marked: Rule = {
  name: 'commands of documents',
  *check(tree) {
    for (const file of tree.paths(/\.md$/))
      for (const block of listCodeBlocks(tree.read(file)).filter(isShell)) {
        const fault = findFault(file, block);
        yield* unless(fault === null, `${file}:${block.line}: ${fault}`);
      }
  },
  refused: [
    ...textsIn('docs/internals/costs.md', ['```sh\nnpm start\n```\n']),
    ...textsIn('README.md', [
      '```sh no-run\nnpm start\n```\n',
      '```sh\nls\ndocker ps\n```\n',
      '```sh\ncurl https://book.example.com/v1/rooms\n```\n',
      '```bash\nnpm start\n```\n',
    ]),
    ...textsIn('docs/guides/take-a-booking.md', ['1. Run:\n   ```sh norun: slow\n   npm start\n   ```\n']),
  ],
  accepted: [
    { 'docs/internals/costs.md': '```sh no-run: needs a cluster\nkubectl get pods\n```\n' },
    { 'docs/guides/take-a-booking.md': '```sh\necho\n```\n```sh fails\nfalse\n```\n```text\n```\n' },
  ],
};

const NPM_RUN = /\bnpm (?:run |(?=(?:start|test)\b))(?:-\w+ |--[\w-]+ )*(?<script>[a-z][\w:-]*)/g;

/** `npm run` in documents, comments and manifests names a script of package.json. */
const scripts: Rule = {
  name: 'npm scripts in texts',
  *check(tree) {
    const known = Object.keys(JSON.parse(tree.read('package.json')).scripts as object);
    for (const file of tree.paths(/^(?!dev\/lint\/document-commands\.ts).*\.(md|ts|tsx|mjs|yaml|sh|sql)$/))
      for (const { index, groups } of tree.read(file).matchAll(NPM_RUN))
        yield* unless(
          known.includes(groups!.script!),
          `${formatLocation(file, tree.read(file), index)}: package.json has no script ${groups!.script}`,
        );
  },
  refused: textsIn('README.md', ['Run `npm run lint:all`.', '```sh\nnpm run -s openapi\n```\n']),
  accepted: textsIn('README.md', ['`npm start`, `npm test -- x`, `npm run check`, `npm run docs`.']),
};

export const documentCommands = [marked, scripts];
