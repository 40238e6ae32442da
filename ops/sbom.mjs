/**
 * Prints a list of the packages of which modules are in the bundles, with their licenses and digests (CycloneDX), from the lock file
 * and from what the build has bundled (dev/bundles/).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const list = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
const bundled = new Set(JSON.parse(readFileSync('build/packages.json', 'utf8')));
list.components = list.components.filter((component) => bundled.has(component['bom-ref']));
const kept = new Set([list.metadata.component, ...list.components].map((component) => component['bom-ref']));
list.dependencies = list.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
console.log(JSON.stringify(list, null, 2));
