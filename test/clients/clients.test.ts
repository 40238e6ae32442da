import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { anonymous } from '../support/api-client.js';
import { clientsDay } from './clients-day.js';
import { pythonTools, run, typescriptTools } from './tools.js';

/** For tools that are not installed yet, on a slow machine. */
const INSTALL_MS = 1_200_000;

/** A folder with the programs of a language and the API document of the service. */
async function newFolder(t: ExecutionContext, language: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clients-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  cpSync(join('test/clients', language), folder, { recursive: true });
  const { body } = await anonymous('GET', '/v1/openapi.json');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body));
  return folder;
}

/** Runs a client's day in a program. */
async function spend(t: ExecutionContext, cwd: string, program: string, args: string[]): Promise<void> {
  const { day, done, close } = await clientsDay();
  t.teardown(close);
  const printed = await run(program, args, { cwd, env: { DAY: JSON.stringify(day) } });
  t.deepEqual(JSON.parse(printed), done);
}

test('TypeScript clients of openapi-typescript and @hey-api/openapi-ts compile, and handle a day’s work', async (t) => {
  t.timeout(INSTALL_MS);
  const modules = await typescriptTools();
  const cwd = await newFolder(t, 'typescript');
  symlinkSync(modules, join(cwd, 'node_modules'));
  const node = (...args: string[]) => run(process.execPath, args, { cwd });
  await node('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'generated/schema.ts');
  await node('node_modules/@hey-api/openapi-ts/bin/run.js');
  await node('node_modules/typescript/bin/tsc', '--project', '.');
  for (const program of ['openapi-fetch', 'hey-api'])
    await spend(t, cwd, process.execPath, [`out/${program}.js`]);
});

test('the Python client of openapi-python-client compiles, and handles a day’s work', async (t) => {
  t.timeout(INSTALL_MS);
  const python = await pythonTools();
  const cwd = await newFolder(t, 'python');
  writeFileSync(join(cwd, 'config.yml'), 'post_hooks: []\n');
  const from = ['--path', 'openapi.json', '--config', 'config.yml'];
  const to = ['--output-path', 'generated', '--meta', 'none'];
  await run(python, ['-m', 'openapi_python_client', 'generate', ...from, ...to], { cwd });
  await run(python, ['-m', 'compileall', '-q', 'generated'], { cwd });
  await spend(t, cwd, python, ['day.py']);
});
