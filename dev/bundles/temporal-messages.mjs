import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const packageOf = (name) => `node_modules/${name}`;

/**
 * The messages of Temporal's services that the SDK or we name, or that belong to a method which is called, and what these contain.
 */
export const temporalMessages = () => messagesModule(['coresdk'], callersOfTemporal());

/** The messages between the SDK's core and workflows, and what these contain: the only ones in the thread of workflows. */
export const workflowMessages = () =>
  messagesModule(['coresdk.workflow_activation', 'coresdk.workflow_completion'], '');

/**
 * A module with the messages in packages, and with those that code names. They are text, which is parsed in a third of the time that
 * a literal takes.
 */
function messagesModule(packages, code) {
  const source = readFileSync(`${packageOf('@temporalio/proto')}/protos/json-module.js`, 'utf8');
  const [before, literal] = source.split('.addJSON(');
  const messages = JSON.parse(literal.slice(0, literal.lastIndexOf('});') + 1));
  keepNeeded({ nested: messages }, packages, code);
  createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'))('protobufjs/light')
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

/** Removes the methods of services that no code names, and the messages that neither it nor the packages need. */
function keepNeeded(root, packages, code) {
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
  for (const path of packages) need(path.split('.'));
  for (const [path] of code.matchAll(/\b(?:google|grpc|temporal)(?:\.\w+)+/g)) need(path.split('.'));
  const prune = (node) => {
    for (const [name, nested] of Object.entries(node.nested ?? {}))
      if (needed.has(nested)) prune(nested);
      else delete node.nested[name];
  };
  prune(root);
}
