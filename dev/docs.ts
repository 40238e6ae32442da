import { writeFileSync } from 'node:fs';
import { RELEASED } from './lint/api-changes.js';
import { DOCUMENT } from './lint/api-document.js';
import { GENERATED } from './lint/generated.js';
import { Tree } from './lint/rule.js';

// `npm run docs`: writes the API document and the lists of settings from the code; with `-- --released` also
// the API document of the release, which later ones must not break (docs/guides/upgrade.md#release-numbers).
const tree = new Tree();
for (const [path, write] of Object.entries(GENERATED)) writeFileSync(path, write(tree));
if (process.argv.includes('--released')) writeFileSync(RELEASED, tree.read(DOCUMENT));
