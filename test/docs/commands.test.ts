import { readdirSync } from 'node:fs';
import test from 'ava';
import { IN_COMMAND_TEST, isShell } from '../../dev/lint/code-blocks.js';
import { listSteps, runDocument, type Step } from '../support/document-session.js';
import { dev } from '../support/stack.js';
import { newAccountingWorkspace } from '../support/accounting.js';
import { newRoom } from '../support/workspaces.js';

const SETUP = listSteps('README.md').filter(({ note }) => note === 'setup');
const GUIDES = readdirSync('docs/guides').map((name) => `docs/guides/${name}`);
const DOCUMENTS = ['README.md', ...GUIDES].filter((file) => IN_COMMAND_TEST.test(file));

/** The steps of a document, after those that set up the shell. */
const withSetup = (file: string): Step[] => {
  const steps = listSteps(file);
  return file === 'README.md' ? steps : [...SETUP, ...steps];
};

test('README has the one block that sets up the shell', (t) => t.is(SETUP.length, 1));

for (const file of DOCUMENTS.filter((each) => listSteps(each).some(isShell)))
  test(`every command of ${file} runs, and returns what the document shows`, async (t) => {
    const { api, id } = await newAccountingWorkspace({ name: 'Harbour House', currency: 'GBP' });
    await newRoom(api, { name: 'Garden room', capacity: 8 });
    const faults = await runDocument(withSetup(file), { ...dev, apiKey: api.token, workspaceId: id });
    t.deepEqual(faults, []);
  });
