import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';

/** Runs Node in a folder, without settings. Returns the exit code and what it wrote. */
const run = (cwd: string, ...args: string[]): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env: {} }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

/** Draws a document with a font of PDF's own and with one of the build's. */
const DRAW = `
  const PDFDocument = (await import(process.argv[1])).default;
  const document = new PDFDocument();
  document.font('Helvetica').text('x').font('build/commands/paper/DejaVuSans.ttf').text('x').end();`;

test('what ships needs no installed packages: every bundle and every chunk loads without them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-shipped-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  cpSync('package.json', join(folder, 'package.json'));
  for (const part of ['activities', 'api', 'chunks', 'commands', 'db', 'deploy', 'native', 'web', 'worker'])
    cpSync(join('build', part), join(folder, 'build', part), { recursive: true });

  for (const entry of ['api/main', 'worker/main', 'deploy/migrate', 'deploy/reencrypt']) {
    const { code, output } = await run(folder, `build/${entry}.js`);
    t.is(code, 1, entry);
    t.regex(output, /^(oidc-provider.*\n)*Invalid configuration: .*\n$/, entry);
  }
  const help = await run(folder, 'build/deploy/operator/main.js');
  t.regex(help.output, /--operator=/);

  const chunks = readdirSync(join(folder, 'build/chunks')).filter(
    (file) => file.endsWith('.js') && file !== 'workflow-worker-thread.js',
  );
  const imports = chunks.map((file) => `await import('./build/chunks/${file}');`).join('\n');
  t.deepEqual(await run(folder, '--input-type=module', '--eval', imports), { code: 0, output: '' });
  const pdf = chunks.find((file) => file.startsWith('pdfkit'))!;
  const drawn = await run(folder, '--input-type=module', '--eval', DRAW, `./build/chunks/${pdf}`);
  t.deepEqual(drawn, { code: 0, output: '' });
});

/** The files of the bundles that API and worker load, from `build`: those of a build before may still be there. */
function bundleFiles(): string[] {
  const reached = new Set(['api/main.js', 'worker/main.js']);
  for (const file of reached) {
    const names = readFileSync(join('build', file), 'utf8').matchAll(/"\.\.?\/(?:chunks\/)?([\w.-]+\.js)"/g);
    for (const [, name] of names) if (existsSync(join('build/chunks', name!))) reached.add(`chunks/${name}`);
  }
  return [...reached];
}

test('the modules of packages are compiled with their bundle, so that a start finds them compiled', (t) => {
  const texts = bundleFiles().map((file) => readFileSync(join('build', file), 'utf8'));
  const wrappers = texts.flatMap((text) => text.match(/__(?:commonJS|esm)\(\{[^{]*\{/g) ?? []);
  t.true(wrappers.length > 1_000, String(wrappers.length));
  t.deepEqual(
    wrappers.filter((wrapper) => !/:\(function\([^()]*\)\{$/.test(wrapper)),
    [],
  );
});

/** Says which formatters are created. */
const WATCHED = `for (const name of ['Collator', 'DateTimeFormat', 'ListFormat', 'NumberFormat', 'PluralRules'])
  Intl[name] = new Proxy(Intl[name], {
    construct(...all) {
      console.log('created', name);
      return Reflect.construct(...all);
    },
  });`;

test('a process creates no formatter while it is loaded: the first one takes 4 % of a start', async (t) => {
  for (const entry of ['api/main', 'worker/main']) {
    const watch = `data:text/javascript,${encodeURIComponent(WATCHED)}`;
    const { output } = await run('.', '--import', watch, `build/${entry}.js`);
    t.regex(output, /Invalid configuration/);
    t.notRegex(output, /created/, entry);
  }
});

/** Calls a processor that cannot be reached. Prints the stack trace of the error. */
const CALL = `
  const { default: Stripe } = await import(process.argv[1]);
  const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port: 1, protocol: 'http', maxNetworkRetries: 0 });
  async function callOfOurs() { await stripe.accounts.retrieve(); }
  await callOfOurs().catch((error) => console.log(error.stack));`;

test('a failed call of the processor says where it comes from', async (t) => {
  const chunk = bundleFiles().find((file) => /\/stripe\.esm\.node-.*\.js$/.test(file))!;
  const { output } = await run('.', '--input-type=module', '--eval', CALL, `./build/${chunk}`);
  t.regex(output, /^Error: An error occurred.*Originating from:\n.* at callOfOurs /s, output);
});

test('the map of the workflows is empty: their errors have no stack trace', (t) => {
  const [, map] = /sourceMappingURL=data:.*;base64,(.*)/.exec(
    readFileSync('build/workflow-bundle.js', 'utf8'),
  )!;
  const { sources, mappings } = JSON.parse(Buffer.from(map!, 'base64').toString()) as Record<string, unknown>;
  t.deepEqual({ sources, mappings }, { sources: [], mappings: '' });
});
