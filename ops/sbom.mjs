/**
 * Prints a list of the packages of the service with their licenses and digests (CycloneDX), from the lock file. npm marks what is
 * for development only; its own `--omit dev` also leaves out packages that others need (npm 11.19).
 */
import { execFileSync } from 'node:child_process';

const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const list = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
list.components = list.components.filter((component) => !isForDevelopment(component));
const kept = new Set([list.metadata.component, ...list.components].map((component) => component['bom-ref']));
list.dependencies = list.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
console.log(JSON.stringify(list, null, 2));
