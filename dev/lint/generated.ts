import { listSections, listSettings } from '../../config/settings.js';
import { document } from '../../test/support/described-api.js';
import { DOCUMENT, writeDocument } from './api-document.js';
import { edited, unless, type Rule, type Tree } from './rule.js';

const SETTINGS = 'docs/guides/settings.md';
const EXAMPLE = '.env.example';

/** What each process does not start without: a row for each. */
function writeRequired(): string {
  const settings = listSettings();
  const processes = [...new Set(settings.flatMap(({ requiredBy }) => requiredBy))];
  const rows = processes.map((process) => {
    const needed = settings.filter(({ requiredBy }) => requiredBy.includes(process));
    return `| ${process} | ${needed.map(({ name }) => `\`${name}\``).join(', ')} |\n`;
  });
  return `### Required\n\n| Process | Does not start without |\n|---|---|\n${rows.join('')}\n`;
}

/** The tables of the guide, between its two comments; what people have written around them stays. */
function writeSettings(guide: string): string {
  const tables = listSections().map(([section, settings]) => {
    const rows = settings.map(({ name, requiredBy, default: value, description }) => {
      const required = requiredBy.length > 0 && `required by ${requiredBy.join(', ')}`;
      const cell = required || (value ? `\`${value}\`` : 'none');
      const meaning = description.replace(/\]\(docs\/(guides\/)?/g, (_, here) => (here ? '](' : '](../'));
      return `| \`${name}\` | ${cell} | ${meaning} |\n`;
    });
    return `### ${section}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rows.join('')}\n`;
  });
  return guide.replace(
    /(?<=<!-- settings -->\n)[^]*(?=<!-- end of settings -->)/,
    () => `\n${writeRequired()}${tables.join('')}`,
  );
}

/** A description in a comment, without its links. */
const comment = (text: string): string =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/(?=\S)(.{1,108})(?: |$)/g, '# $1\n');

/** An environment to fill in: what is required is empty, all else has its default. */
function writeExample(): string {
  const sections = listSections().map(([section, settings]) => {
    const variables = settings.map(
      ({ name, requiredBy, default: value, description }) =>
        `\n${comment(description)}` +
        (requiredBy.length > 0 ? `# Required by ${requiredBy.join(', ')}.\n` : '# ') +
        `${name}=${value ?? ''}\n`,
    );
    return `\n# --- ${section} ---\n${variables.join('')}`;
  });
  return `# Written from config/settings.ts by \`npm run docs\`: see ${SETTINGS}.\n${sections.join('')}`;
}

/** What `npm run docs` writes: the content of a file by its path. */
export const GENERATED: Record<string, (tree: Tree) => string> = {
  [DOCUMENT]: () => writeDocument(document),
  [SETTINGS]: (tree) => writeSettings(tree.read(SETTINGS)),
  [EXAMPLE]: writeExample,
};

export const generated: Rule = {
  name: 'generated files',
  *check(tree) {
    for (const { name, description } of listSettings())
      yield* unless(Boolean(description), `config/settings.ts: ${name} has no description`);
    for (const [path, write] of Object.entries(GENERATED))
      yield* unless(tree.read(path) === write(tree), `${path} is not what \`npm run docs\` writes`);
  },
  refused: [
    { [DOCUMENT]: '{}\n' },
    edited(SETTINGS, '| required by API, worker, deploy step |', '| required by API |'),
    edited(EXAMPLE, 'DATABASE_POOL_SIZE=20', 'DATABASE_POOL_SIZE=21'),
  ],
};
