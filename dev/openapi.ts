import { writeFileSync } from 'node:fs';
import { document } from '../test/support/described-api.js';
import { RELEASED } from './lint/api-changes.js';
import { DOCUMENT, writeDocument } from './lint/api-document.js';

// `npm run openapi`: writes the API document to `openapi.json`. With `-- --released` it also becomes the
// released document, which later ones must not break (docs/releases.md#numbers).
const paths = process.argv.includes('--released') ? [DOCUMENT, RELEASED] : [DOCUMENT];
for (const path of paths) writeFileSync(path, writeDocument(document));
