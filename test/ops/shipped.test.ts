import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MINUTE_MS } from '../../domain/durations.js';
import { once } from '../support/once.js';

/** Runs Node in a folder, without settings. Returns the exit code and the output. */
const run = (cwd: string, ...args: string[]): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env: {} }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

const gathered = once(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
  const { code, output } = await run('.', 'ops/image-files.mjs', folder);
  if (code !== 0) throw new Error(output);
  return folder;
});
test.after.always(async () => rmSync(await gathered(), { recursive: true, force: true }));

/** A folder with the files of an image. Finding them takes half a minute of CPU. */
function image(t: ExecutionContext): Promise<string> {
  t.timeout(20 * MINUTE_MS);
  return gathered();
}

/** Modules that end or wait when they are loaded. */
const ENTRIES = [
  'api/main',
  'worker/main',
  'deploy/check',
  'deploy/migrate',
  'deploy/prepare',
  'deploy/reencrypt',
];
const STARTED = [...ENTRIES, 'deploy/operator/main', 'deploy/verify-audit-log', 'worker/bundle'];

test('every process and job of an image starts without other packages', async (t) => {
  const folder = await image(t);
  for (const entry of ENTRIES) {
    const { code, output } = await run(folder, `build/${entry}.js`);
    t.is(code, 1, entry);
    t.regex(output, /^(oidc-provider.*\n)*Invalid configuration: .*\n$/, entry);
  }
  t.regex((await run(folder, 'build/deploy/operator/main.js')).output, /--operator=/);
});

test('every module of the service loads in an image', async (t) => {
  const folder = await image(t);
  const modules = readdirSync(join(folder, 'build'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(activities|api|commands|db|deploy|domain|ops|web|worker)\/.*\.js$/.test(file))
    .filter((file) => readFileSync(join('build', file), 'utf8').includes('sourceMappingURL'))
    .filter((file) => !STARTED.includes(file.replace(/\.js$/, '')));
  t.true(modules.length > 500);
  const imports = modules.map((file) => `await import('./build/${file}');`).join('\n');
  t.deepEqual(await run(folder, '--input-type=module', '--eval', imports), { code: 0, output: '' });
});

/** Draws a document with a standard PDF font and with one from a package. */
const DRAW = `
  const { default: PDFDocument } = await import('pdfkit');
  const font = (await import('./build/commands/invoices/pdf/fonts.js')).baseFont(false).font;
  new PDFDocument().font('Helvetica').text('x').font(font).text('x').end();`;

test('an image has the fonts for documents', async (t) => {
  t.deepEqual(await run(await image(t), '--input-type=module', '--eval', DRAW), { code: 0, output: '' });
});

test('an image lists its packages, each with its license, and no development package', async (t) => {
  const folder = await image(t);
  const { bomFormat, components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
    bomFormat: string;
    components: { purl: string; hashes: object[] }[];
  };
  t.is(bomFormat, 'CycloneDX');
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const purls = components.map(({ purl }) => decodeURIComponent(purl));
  const has = ([name, version]: [string, string]): boolean => purls.includes(`pkg:npm/${name}@${version}`);
  t.deepEqual(
    Object.entries(dependencies!).filter((each) => !has(each)),
    [],
  );
  for (const name of ['ava', 'typescript', 'esbuild']) t.false(has([name, devDependencies![name]!]), name);
  t.true(components.every(({ hashes }) => hashes.length > 0));
});

/** Calls an unreachable processor. Prints the stack trace of the error. */
const CALL = `
  const { default: Stripe } = await import('stripe');
  const stripe = new Stripe('sk_test_1', {
    host: '127.0.0.1', port: 1, protocol: 'http', maxNetworkRetries: 0,
  });
  async function callOfOurs() { await stripe.accounts.retrieve(); }
  await callOfOurs().catch((error) => console.log(error.stack));`;

test('stack traces show where a processor call comes from, with places in the sources', async (t) => {
  const { output } = await run('.', '--input-type=module', '--eval', CALL);
  t.regex(output, /^Error: An error occurred.* at callOfOurs /s, output);
  const fails = `await (await import('./build/commands/invoices/pdf/thread.js')).renderDocument({});`;
  const mapped = ['--import', './build/ops/source-maps.js', '--input-type=module'];
  const { output: failed } = await run('.', ...mapped, '--eval', fails);
  t.regex(failed, /at .*renderDocument \(.*\/commands\/invoices\/pdf\/document\.tsx?:\d+:\d+\)$/m);
});
