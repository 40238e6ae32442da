// Bundles what ships: the entry points of the service with their packages, so that a deployment needs no `node_modules`.
// Code that more than one entry needs, and what is imported dynamically, is in `build/chunks/`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, sep } from 'node:path';
import { build, transform } from 'esbuild';
import { packagesOf } from './licenses.mjs';
import { NATIVE } from './packages.mjs';
import { PLUGINS, THREAD_PLUGINS } from './plugins.mjs';

const OUT = 'build';
const CHUNKS = 'chunks';

/** What is started: processes, jobs, and the threads of the API and the worker. */
const ENTRIES = [
  'api/main',
  'worker/main',
  'deploy/check',
  'deploy/migrate',
  'deploy/operator/main',
  'deploy/prepare',
  'deploy/reencrypt',
  'deploy/verify-audit-log',
  'commands/paper/thread',
];

const resolve = createRequire(import.meta.url).resolve;
const packageOf = (name) => `node_modules/${name}`;

/** Threads of packages, which look for them beside their own file: a chunk. */
const POOL_THREAD = { [`${CHUNKS}/entry/worker`]: `./${packageOf('tinypool')}/dist/entry/worker.js` };
const WORKFLOW_THREAD = {
  [`${CHUNKS}/workflow-worker-thread`]: `${packageOf('@temporalio/worker')}/lib/workflow/workflow-worker-thread.js`,
};

/** The thread of workflows shares no code: it would load the parts that only the others need. */
const BUILDS = [
  {
    entryPoints: { ...Object.fromEntries(ENTRIES.map((name) => [name, `${name}.ts`])), ...POOL_THREAD },
    plugins: PLUGINS,
  },
  { entryPoints: WORKFLOW_THREAD, plugins: THREAD_PLUGINS },
];

/** A regular weight of Noto Sans. */
const noto = (name, file) => () =>
  join(packageOf(`@expo-google-fonts/noto-sans-${name}`), `400Regular/${file}_400Regular.ttf`);

/** What packages read at run time: the path in `build`, and that of the file. */
const FILES = {
  [NATIVE]: () =>
    createRequire(resolve('@temporalio/worker'))('@temporalio/core-bridge/common').getPrebuiltPath(),
  'commands/paper/DejaVuSans.ttf': () => join(packageOf('dejavu-fonts-ttf'), 'ttf/DejaVuSans.ttf'),
  'commands/paper/DejaVuSans-Bold.ttf': () => join(packageOf('dejavu-fonts-ttf'), 'ttf/DejaVuSans-Bold.ttf'),
  'commands/paper/NotoSansDevanagari.ttf': noto('devanagari', 'NotoSansDevanagari'),
  'commands/paper/NotoSansThai.ttf': noto('thai', 'NotoSansThai'),
  'commands/paper/NotoSansJP.ttf': noto('jp', 'NotoSansJP'),
  'commands/paper/NotoSansKR.ttf': noto('kr', 'NotoSansKR'),
  'commands/paper/NotoSansSC.ttf': noto('sc', 'NotoSansSC'),
  [`${CHUNKS}/mappings.wasm`]: () => join(packageOf('source-map'), 'lib/mappings.wasm'),
};

/** What bundled CommonJS modules expect to exist. `$build` is the folder of the bundles. */
const banner = `import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;
const $build = new URL('$UP', import.meta.url);`;

/**
 * Puts the functions that wrap modules of packages in parentheses. V8 then compiles them with their file, and so the compiled code
 * that an image keeps has them; others are compiled when they are called, at each start.
 */
const withModulesCompiled = (text) =>
  text.replaceAll(
    /(__(?:commonJS|esm)\(\{\n {2}".*")(\(.*\)) \{([^]*?)\n {2}\}\n\}\);/g,
    '$1: (function$2 {$3\n  })\n});',
  );

/** A file of the bundles and its map, without what is only for people to read. */
async function finish(text, map) {
  const inline = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  return await transform(withModulesCompiled(text) + inline, {
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
  });
}

const OPTIONS = {
  outdir: OUT,
  chunkNames: `${CHUNKS}/[name]-[hash]`,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // What a package can do without, and what only a build runs.
  external: ['pg-native', 'esbuild'],
  minifySyntax: true,
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
  banner: { js: banner },
};

/** Bundles the entries. Returns the content of each file of `build` by its path. */
export async function bundle() {
  const builds = await Promise.all(BUILDS.map((each) => build({ ...OPTIONS, ...each })));
  const outputFiles = builds.flatMap((each) => each.outputFiles);
  const files = new Map(outputFiles.map((file) => [relative('.', file.path), file]));
  const finished = [...files]
    .filter(([name]) => name.endsWith('.js'))
    .map(async ([name, { text }]) => {
      const up = '../'.repeat(name.split(sep).length - 2) || './';
      const { code, map } = await finish(text.replace('$UP', up), files.get(`${name}.map`).text);
      return [
        [name, Buffer.from(`${code}//# sourceMappingURL=${basename(name)}.map\n`)],
        [`${name}.map`, Buffer.from(map)],
      ];
    });
  const outputs = (await Promise.all(finished)).flat();
  const modules = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = packagesOf(modules, Object.values(FILES));
  const licenses = packages.map(({ license }) => license).join(`\n\n${'-'.repeat(80)}\n\n`);
  const ids = packages.map(({ id }) => id);
  return new Map([
    ...outputs,
    ...Object.entries(FILES).map(([name, path]) => [join(OUT, name), readFileSync(path())]),
    [join(OUT, 'LICENSES.txt'), Buffer.from(`${licenses}\n`)],
    [join(OUT, 'packages.json'), Buffer.from(`${JSON.stringify(ids, null, 2)}\n`)],
  ]);
}

/** The path of a compiled file: an entry has another one beside its bundle, `main.files.js`, which loads file by file. */
export const unbundled = (path) => {
  const [, name, rest] = /^build\/(.*?)(\.js(?:\.map)?)$/.exec(path.split(sep).join('/')) ?? [];
  return ENTRIES.includes(name) ? join(OUT, `${name}.files${rest}`) : path;
};
