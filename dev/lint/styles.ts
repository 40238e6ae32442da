import { formatLocation, textsIn, type Rule, type Tree } from './rule.js';

const SHEETS = /^web\/.*\.css$/;
/** What writes the HTML of pages: components, their scripts, and the words that classes are made of. */
const WRITERS = /^(web|domain|contract)\/.*\.(tsx?|js)$/;

/** Classes and ids of a style sheet's selectors, with their places. */
function* listNames(sheet: string): Iterable<{ name: string; index: number }> {
  const rules = sheet.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  for (const { 0: selector, index } of rules.matchAll(/[^{};]+(?=\{)/g))
    for (const { 1: name, index: at } of selector.matchAll(/[.#]([a-zA-Z][\w-]*)/g))
      yield { name: name!, index: index + at };
}

/** Finds rules that match nothing: no page has a word of that name. */
function* listUnused(tree: Tree): Iterable<string> {
  const words = new Set<string>();
  for (const path of tree.paths(WRITERS))
    for (const [word] of tree.read(path).matchAll(/[\w-]+/g)) words.add(word.toLowerCase());
  for (const path of tree.paths(SHEETS)) {
    const sheet = tree.read(path);
    for (const { name, index } of listNames(sheet))
      if (!words.has(name.toLowerCase()))
        yield `${formatLocation(path, sheet, index)}: no page has anything with the name ${name}`;
  }
}

export const styles: Rule = {
  name: 'styles',
  check: listUnused,
  refused: [
    ...textsIn('web/x.css', [
      '.sung {\n  color: red;\n}',
      '@media print {\n  td.a #b {\n    margin: 0;\n  }\n}',
    ]),
    { 'web/x.css': '.a:not(.b) {\n  color: red;\n}', 'web/x.tsx': '<p class="a" />' },
  ],
  accepted: [
    {
      'web/x.css': '/* .sung { */\n.a,\n#b-c {\n  margin: 0.5rem;\n  color: #fff;\n}',
      'web/x.tsx': "<p class={is ? 'a' : ''} id=\"b-c\" />",
    },
  ],
};
