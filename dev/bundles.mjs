// Bundles what ships: the entry points of the service with their packages, so that a deployment needs no `node_modules`.
// Code that more than one entry needs, and what is imported dynamically, is in `build/chunks/`.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

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
const THREADS = {
  [`${CHUNKS}/workflow-worker-thread`]: `${packageOf('@temporalio/worker')}/lib/workflow/workflow-worker-thread.js`,
  [`${CHUNKS}/entry/worker`]: `./${packageOf('tinypool')}/dist/entry/worker.js`,
};

/** Where the native library of Temporal's SDK is. */
const NATIVE = 'native/temporal.node';

/** What packages read at run time: the path in `build`, and that of the file. */
const FILES = {
  [NATIVE]: () =>
    createRequire(resolve('@temporalio/worker'))('@temporalio/core-bridge/common').getPrebuiltPath(),
  'commands/paper/DejaVuSans.ttf': () => join(packageOf('dejavu-fonts-ttf'), 'ttf/DejaVuSans.ttf'),
  'commands/paper/DejaVuSans-Bold.ttf': () => join(packageOf('dejavu-fonts-ttf'), 'ttf/DejaVuSans-Bold.ttf'),
  [`${CHUNKS}/mappings.wasm`]: () => join(packageOf('source-map'), 'lib/mappings.wasm'),
};

/** Modules of packages that are written anew: what they load is not used, or is elsewhere. */
const REPLACED = [
  // Bundles workflows with webpack, which a worker with a prebuilt bundle never does.
  [/@temporalio\/worker\/lib\/workflow\/bundler\.js$/, 'exports.defaultWorkflowInterceptorModules = [];'],
  [
    /@temporalio\/core-bridge\/common\.js$/,
    `exports.getPrebuiltPath = () => require('node:url').fileURLToPath(new URL('${NATIVE}', $build));`,
  ],
  [/@temporalio\/worker\/lib\/worker\.js$/, workerOfSdk()],
  [/@temporalio\/worker\/lib\/workflow\/reusable-vm\.js$/, sandboxOfSdk()],
  [/@temporalio\/proto\/protos\/json-module\.js$/, temporalMessages()],
  [/protobufjs\/src\/service\.js$/, servicesOfTemporal()],
  [/protobufjs\/src\/type\.js$/, typesOfTemporal()],
  [/@temporalio\/core-bridge\/lib\/errors\.js$/, errorsOfCore()],
  [/joi\/lib\/common\.js$/, preferencesOfJoi()],
  ...['StripeResource', 'autoPagination'].map((name) => [
    new RegExp(`/stripe/esm/${name}\\.js$`),
    callsOfProcessor(name),
  ]),
  // Decodes text for `raw-body`, which is asked for bytes only.
  [
    /node_modules\/iconv-lite\/lib\/index\.js$/,
    'exports.getDecoder = () => { throw new Error("not bundled"); };',
  ],
  // Loads the drivers of seventeen other databases.
  [
    /typeorm\/driver\/DriverFactory\.js$/,
    `const { PostgresDriver } = require('./postgres/PostgresDriver');
     exports.DriverFactory = class { create(source) { return new PostgresDriver(source); } };`,
  ],
];

/**
 * The messages of Temporal's services that the SDK or we name, or that belong to a method which is called, and what these contain.
 * They are text, which is parsed in a third of the time that a literal takes.
 */
function temporalMessages() {
  const source = readFileSync(`${packageOf('@temporalio/proto')}/protos/json-module.js`, 'utf8');
  const [before, literal] = source.split('.addJSON(');
  const messages = JSON.parse(literal.slice(0, literal.lastIndexOf('});') + 1));
  keepNeeded({ nested: messages }, callersOfTemporal());
  createRequire(resolve('@temporalio/proto'))('protobufjs/light')
    .Root.fromJSON({ nested: messages })
    .resolveAll();
  return `${before}.addJSON(JSON.parse(${JSON.stringify(JSON.stringify(messages))}));\nmodule.exports = $root;`;
}

/** The code that calls Temporal's services: that of the SDK, and ours. */
function callersOfTemporal() {
  const sdk = ['activity', 'client', 'common', 'interceptors-opentelemetry', 'worker', 'workflow'];
  const folders = [...sdk.map((name) => packageOf(`@temporalio/${name}/lib`)), 'deploy'];
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
    .filter((path) => /\.[jt]s$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

/** Removes the methods of services that no code names, and the messages that are not needed then. */
function keepNeeded(root, code) {
  const words = new Set(code.match(/\w+/g));
  const isCalled = (method) => words.has(`${method[0].toLowerCase()}${method.slice(1)}`);
  /** What is needed with all that is in it, and that with what contains it. */
  const [marked, needed] = [new Set(), new Set()];
  /** Marks what a path of names leads to: a message, an enum or a service, or all that are in a package. */
  const need = (names, scope = [root]) => {
    const path = scope.slice(0, 1 + scope.findLastIndex((node) => node.nested?.[names[0]]));
    for (const name of names) {
      const node = path.at(-1)?.nested?.[name];
      if (node) path.push(node);
      else if (isPackage(path.at(-1))) return;
    }
    mark(path);
  };
  const isPackage = (node) => !node?.fields && !node?.values && !node?.methods;
  const mark = (path) => {
    const node = path.at(-1);
    if (marked.has(node)) return;
    marked.add(node);
    for (const part of path) needed.add(part);
    for (const [name, method] of Object.entries(node.methods ?? {})) {
      if (!isCalled(name)) delete node.methods[name];
      else for (const type of [method.requestType, method.responseType]) need(type.split('.'), path);
      delete method.options;
      delete method.parsedOptions;
    }
    for (const { type } of Object.values(node.fields ?? {})) need(type.split('.'), path);
    for (const nested of Object.values(node.nested ?? {})) mark([...path, nested]);
  };
  need(['coresdk']);
  for (const [path] of code.matchAll(/\b(?:google|grpc|temporal)(?:\.\w+)+/g)) need(path.split('.'));
  const prune = (node) => {
    for (const [name, nested] of Object.entries(node.nested ?? {}))
      if (needed.has(nested)) prune(nested);
      else delete node.nested[name];
  };
  prune(root);
}

/** Services whose methods look for the code of their messages when they are called: it is generated for each message then. */
function servicesOfTemporal() {
  const source = readFileSync(`${packageOf('protobufjs')}/src/service.js`, 'utf8');
  const [early, used] = [
    '(method, method.resolvedRequestType.ctor, method.resolvedResponseType.ctor)',
    'method, requestType, responseType, request, callback',
  ];
  if (!source.includes(early) || !source.includes(used))
    throw new Error('protobufjs makes services in another way.');
  return source
    .replace(early, '(method, method.resolvedRequestType, method.resolvedResponseType)')
    .replace(used, 'method, requestType.ctor, responseType.ctor, request, callback');
}

/** Messages whose conversions and checks, which are rarely used, are generated when they are first called. */
function typesOfTemporal() {
  const source = readFileSync(`${packageOf('protobufjs')}/src/type.js`, 'utf8');
  const made = /this\.(verify|fromObject|toObject) = (\w+(?:\.\w+)?)\(this\)\((\{[^}]*\})\);/g;
  if (source.match(made)?.length !== 3) throw new Error('protobufjs makes messages in another way.');
  return source.replace(made, 'let $1; this.$1 = (...given) => ($1 ??= $2(this)($3)).apply(this, given);');
}

/** Errors of Temporal's core that load gRPC with the first that has metadata: the workflow thread has no other use for it. */
function errorsOfCore() {
  const source = readFileSync(`${packageOf('@temporalio/core-bridge')}/lib/errors.js`, 'utf8');
  const [early, used] = ['const grpc = __importStar(require("@grpc/grpc-js"));', 'new grpc.Metadata()'];
  if (!source.includes(early) || !source.includes(used))
    throw new Error("Temporal's core uses gRPC in another way.");
  return source.replace(early, '').replace(used, 'new (require("@grpc/grpc-js").Metadata)()');
}

/** joi without a check of the options that schemas are given, for which it makes forty schemas of its own: the tests have checked them. */
function preferencesOfJoi() {
  const source = readFileSync(`${packageOf('joi')}/lib/common.js`, 'utf8');
  const check = 'exports.checkPreferences = function (prefs) {';
  if (!source.includes(check)) throw new Error('joi checks options in another way.');
  return source.replace(check, `${check} return;`);
}

/** Calls of the processor that write down where they come from once they fail, not before: that would read the maps. */
function callsOfProcessor(name) {
  const source = readFileSync(`${packageOf('stripe')}/esm/${name}.js`, 'utf8');
  const [taken, used] = [
    'const callSiteStack = new Error().stack;',
    'attachCallSiteToError(err, callSiteStack)',
  ];
  if (!source.includes(taken) || !source.includes(used))
    throw new Error('Stripe attaches the origin of a call in another way.');
  return source
    .replaceAll(taken, 'const callSite = new Error();')
    .replaceAll(used, 'attachCallSiteToError(err, callSite.stack)');
}

/** A worker that does not run all workflow code once more, in the main thread, for the sake of debuggers. */
function workerOfSdk() {
  const source = readFileSync(`${packageOf('@temporalio/worker')}/lib/worker.js`, 'utf8');
  const preloading =
    /    \/\/ Preloading the script makes[^]*?(?=    return \{ code, sourceMap, filename \};)/;
  if (!preloading.test(source))
    throw new Error('The worker of the SDK does not preload the bundle of workflows any more.');
  return source.replace(preloading, '');
}

/**
 * A sandbox that limits the time of a call only if the call may run workflow code. Node starts a thread for each limit, which
 * takes 0.13 ms of CPU and half a millisecond; the SDK makes four calls or more for each activation.
 */
function sandboxOfSdk() {
  const source = readFileSync(`${packageOf('@temporalio/worker')}/lib/workflow/reusable-vm.js`, 'utf8');
  const limited =
    /(return callIntoVmScript\.runInContext\(context, \{\s+timeout: )isolateExecutionTimeoutMs,/;
  if (!limited.test(source)) throw new Error('The SDK calls its sandbox in another way.');
  const isBlocked = 'context.__TEMPORAL_ACTIVATOR__?.blockedConditions.size !== 0';
  const runsCode = `fn === 'activate' || (fn === 'tryUnblockConditions' && ${isBlocked})`;
  return source.replace(limited, `$1${runsCode} ? isolateExecutionTimeoutMs : undefined,`);
}

/** A map of a module of which only the name is known. */
const BLANK_MAP = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(
  JSON.stringify({ version: 3, sources: [''], mappings: 'AAAA' }),
).toString('base64')}`;

/** Packages keep no line numbers: Node reads the maps at each start. */
const packageModules = {
  name: 'packages',
  setup(build) {
    for (const [filter, contents] of REPLACED)
      build.onLoad({ filter, namespace: 'file' }, () => ({
        contents: contents.replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '') + BLANK_MAP,
      }));
    // It finds the lifetimes of its tokens by the names of their classes. Elsewhere names would cost time in each closure.
    build.onLoad(
      { filter: /\/node_modules\/oidc-provider\/.*\.js$/, namespace: 'file' },
      async ({ path }) => {
        const { code } = await transform(readFileSync(path, 'utf8'), { keepNames: true, target: 'node20' });
        return { contents: code + BLANK_MAP };
      },
    );
    build.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/, namespace: 'file' }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
      // A `require` of its own would look for the package, which has been bundled.
      const bundled = path.includes('/pdfkit/') ? text.replaceAll('require$1(', 'require(') : text;
      return { contents: bundled + BLANK_MAP };
    });
  },
};

/** Modules find files beside them as if each were still a file of its own. */
const ownFiles = {
  name: 'own-files',
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/, namespace: 'file' }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const compiled = relative('.', path)
        .split(sep)
        .join('/')
        .replace(/\.tsx?$/, '.js');
      return {
        contents: text.replaceAll('import.meta.url', `new URL('${compiled}', $build).href`),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      };
    });
  },
};

/**
 * Node's own modules are required: an import of `node:http` evaluates everything that it exports, which loads the clients of
 * `fetch` and WebSocket, a tenth of a start.
 */
const builtins = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_]+(\/[a-z_]+)*$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (kind !== 'import-statement' || !builtinModules.includes(name)) return undefined;
      return { path: name, namespace: 'builtin' };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require('node:${path}');`,
    }));
  },
};

const isCommonJs = (path) => /\bmodule\.exports\b|\bexports\.\w/.test(readFileSync(path, 'utf8'));

/**
 * A package that is imported dynamically keeps the names that Node gives its exports: a chunk of a CommonJS package would have a
 * default export only.
 */
const lateImports = {
  name: 'late-imports',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === lateImports || path.startsWith('node:'))
        return undefined;
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: lateImports });
      if (found.errors.length > 0 || found.external || !isCommonJs(found.path)) return undefined;
      return { path: found.path, namespace: 'late' };
    });
    build.onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path).href)).filter((name) =>
        /^[$\w]+$/.test(name),
      );
      return {
        contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`,
        resolveDir: dirname(path),
      };
    });
  },
};

/** What bundled CommonJS modules expect to exist. `$build` is the folder of the bundles. */
const banner = `import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;
const $build = new URL('$UP', import.meta.url);`;

/** The folders of the packages that a bundle has modules or files of. */
function foldersOf({ inputs }) {
  const paths = [
    ...Object.keys(inputs).filter((path) => !path.startsWith('late:')),
    ...Object.values(FILES).map((path) => relative('.', path())),
  ];
  const folders = paths.map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.split(sep).join('/'))?.[0],
  );
  return [...new Set(folders)].filter(Boolean).toSorted();
}

/** A package, with the texts that its license wants to be kept. */
function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file) && !/\.(js|json|html)$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return {
    id: `${name}@${version}`,
    license: [`${name} ${version} (${license?.type ?? license ?? 'see below'})`, ...texts].join('\n\n'),
  };
}

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

/** Bundles the entries. Returns the content of each file of `build` by its path. */
export async function bundle() {
  const { outputFiles, metafile } = await build({
    entryPoints: { ...Object.fromEntries(ENTRIES.map((name) => [name, `${name}.ts`])), ...THREADS },
    outdir: OUT,
    chunkNames: `${CHUNKS}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Of packages that can do without.
    external: ['pg-native'],
    minifySyntax: true,
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    banner: { js: banner },
    plugins: [ownFiles, packageModules, builtins, lateImports],
  });
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
  const packages = foldersOf(metafile).map(describe);
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
