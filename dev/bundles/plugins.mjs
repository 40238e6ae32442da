import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { CHANGED, CHANGED_IN_THREAD } from './packages.mjs';

/** A map of a module of which only the name is known. */
const BLANK_MAP = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(
  JSON.stringify({ version: 3, sources: [''], mappings: 'AAAA' }),
).toString('base64')}`;

/** Packages keep no line numbers: Node reads the maps at each start. Of several changes of a module the first one counts. */
const packageModules = (changes) => ({
  name: 'packages',
  setup(build) {
    for (const [filter, contents] of changes)
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
});

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

const withChanges = (changes) => [ownFiles, packageModules(changes), builtins, lateImports];

export const PLUGINS = withChanges(CHANGED);
export const THREAD_PLUGINS = withChanges([...CHANGED_IN_THREAD, ...CHANGED]);
