import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createObjects } from '../support/objects.js';
import { anonymous } from '../support/api-client.js';
import { freeHour } from '../support/bookings.js';
import { dev } from '../support/stack.js';
import { newWorkspace } from '../support/workspaces.js';
import { documentFor } from './document.js';
import { runSchemathesis } from './schemathesis.js';

/** Sends valid and invalid requests to a workspace that has an object of each resource. */
export async function fuzz(examples: number, seed?: string): Promise<boolean> {
  const { body: document } = await anonymous('GET', '/v1/openapi.json');
  const workspace = await newWorkspace();
  const objects = await createObjects(workspace);
  const file = join(dirname(process.env.HOLDFAST_DEV_JSON!), 'fuzz.json');
  writeFileSync(file, JSON.stringify(documentFor(document, objects, freeHour(50))));
  return runSchemathesis({ document: file, url: dev.baseUrl, token: workspace.api.token, examples, seed });
}
