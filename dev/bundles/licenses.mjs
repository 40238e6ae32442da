import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The packages of bundled modules and of `files`. */
export function packagesOf(modules, files) {
  const paths = [
    ...modules.filter((path) => !path.startsWith('late:')),
    ...files.map((path) => relative('.', path())),
  ];
  const folders = paths.map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.split(sep).join('/'))?.[0],
  );
  return [...new Set(folders)].filter(Boolean).toSorted().map(describe);
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
