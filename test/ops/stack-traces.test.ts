import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';

/** What a process prints that fails in `renderDocument` of a module, without Node's own support for source maps. */
function failure(module: string): Promise<string> {
  const url = (path: string): string => JSON.stringify(pathToFileURL(resolve('build', path)).href);
  const code = `await import(${url('stack-traces.js')});
    await (await import(${url(module)})).renderDocument({});`;
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise((done) => {
    execFile(process.execPath, ['--input-type=module', '--eval', code], { env }, (_error, _stdout, stderr) =>
      done(stderr),
    );
  });
}

test('stack traces of compiled files and of bundles show places in the sources', async (t) => {
  const place = /^TypeError: .*\n {4}at .*renderDocument \(.*\/commands\/paper\/document\.tsx?:(\d+):\d+\)$/m;
  const lines = [];
  for (const module of ['commands/paper/document.js', 'commands/paper/thread.js']) {
    const printed = await failure(module);
    t.regex(printed, place, module);
    lines.push(place.exec(printed)?.[1]);
  }
  t.is(lines[0], lines[1]);
});
