// Modules of packages that are bundled with changes: what they load is not used or is elsewhere, or what they do at each start
// is done when it is first needed. A build fails once a package no longer has what is changed.
import { readFileSync } from 'node:fs';
import { temporalMessages, workflowMessages } from './temporal-messages.mjs';

/** Where the native library of Temporal's SDK is, in `build`. */
export const NATIVE = 'native/temporal.node';

/** The module at a path in `node_modules` that has other contents. */
const replaced = (path, contents) => [new RegExp(`/node_modules/${path.replaceAll('.', '\\.')}$`), contents];

/** The module at a path in `node_modules` with changes: what is there, a text or pattern, and what takes its place. */
function changed(path, ...changes) {
  let contents = readFileSync(`node_modules/${path}`, 'utf8');
  for (const [before, after] of changes) {
    const isThere = typeof before === 'string' ? contents.includes(before) : contents.search(before) >= 0;
    if (!isThere) throw new Error(`${path} does not have ${before} any more (dev/bundles/packages.mjs).`);
    contents = contents.replaceAll(before, after);
  }
  return replaced(path, contents);
}

/** Calls of the sandbox that may run workflow code. */
const RUNS_CODE = `fn === 'activate' ||
  (fn === 'tryUnblockConditions' && context.__TEMPORAL_ACTIVATOR__?.blockedConditions.size !== 0)`;

/** Modules by the pattern of their path, with what they contain. */
export const CHANGED = [
  // Bundles workflows with webpack, which a worker with a prebuilt bundle never does.
  replaced('@temporalio/worker/lib/workflow/bundler.js', 'exports.defaultWorkflowInterceptorModules = [];'),
  replaced(
    '@temporalio/core-bridge/common.js',
    `exports.getPrebuiltPath = () => require('node:url').fileURLToPath(new URL('${NATIVE}', $build));`,
  ),
  // For debuggers it runs all workflow code once more, in the main thread.
  changed('@temporalio/worker/lib/worker.js', [
    /    \/\/ Preloading the script makes[^]*?(?=    return \{ code, sourceMap, filename \};)/g,
    '',
  ]),
  // Node starts a thread for each limit of time, which takes 0.13 ms of CPU and half a millisecond, and the SDK makes four calls or
  // more for each activation. Those that may run workflow code are limited.
  changed('@temporalio/worker/lib/workflow/reusable-vm.js', [
    /(return callIntoVmScript\.runInContext\(context, \{\s+timeout: )isolateExecutionTimeoutMs,/g,
    `$1(${RUNS_CODE}) ? isolateExecutionTimeoutMs : undefined,`,
  ]),
  replaced('@temporalio/proto/protos/json-module.js', temporalMessages()),
  // The code of a message is generated when a method is called that has it, and that of conversions and checks, which are rarely
  // used, when they are.
  changed(
    'protobufjs/src/service.js',
    [
      '(method, method.resolvedRequestType.ctor, method.resolvedResponseType.ctor)',
      '(method, method.resolvedRequestType, method.resolvedResponseType)',
    ],
    [
      'method, requestType, responseType, request, callback',
      'method, requestType.ctor, responseType.ctor, request, callback',
    ],
  ),
  changed(
    'protobufjs/src/type.js',
    ...['verify', 'fromObject', 'toObject'].map((name) => [
      new RegExp(`this\\.${name} = (\\w+(?:\\.\\w+)?)\\(this\\)\\((\\{[^}]*\\})\\);`, 'g'),
      `let ${name}; this.${name} = (...given) => (${name} ??= $1(this)($2)).apply(this, given);`,
    ]),
  ),
  // Needs gRPC for errors that have metadata. The workflow thread has no other use for it.
  changed(
    '@temporalio/core-bridge/lib/errors.js',
    ['const grpc = __importStar(require("@grpc/grpc-js"));', ''],
    ['new grpc.Metadata()', 'new (require("@grpc/grpc-js").Metadata)()'],
  ),
  // Makes forty schemas of its own to check the options of schemas. The tests have checked them.
  changed('joi/lib/common.js', [
    'exports.checkPreferences = function (prefs) {',
    'exports.checkPreferences = function (prefs) { return;',
  ]),
  // Calls of the processor write down where they come from, which reads the maps. It is enough once they fail.
  ...['StripeResource', 'autoPagination'].map((name) =>
    changed(
      `stripe/esm/${name}.js`,
      ['const callSiteStack = new Error().stack;', 'const callSite = new Error();'],
      ['attachCallSiteToError(err, callSiteStack)', 'attachCallSiteToError(err, callSite.stack)'],
    ),
  ),
  // Decodes text for `raw-body`, which is asked for bytes only.
  replaced('iconv-lite/lib/index.js', 'exports.getDecoder = () => { throw new Error("not bundled"); };'),
  // Loads the drivers of seventeen other databases.
  replaced(
    'typeorm/driver/DriverFactory.js',
    `const { PostgresDriver } = require('./postgres/PostgresDriver');
     exports.DriverFactory = class { create(source) { return new PostgresDriver(source); } };`,
  ),
];

/** The same in the thread of workflows, which talks to the worker and to nothing else. */
export const CHANGED_IN_THREAD = [
  replaced('@temporalio/proto/protos/json-module.js', workflowMessages()),
  replaced('@grpc/grpc-js/build/src/index.js', ''),
];
