import { readFileSync } from 'node:fs';

/** The version of the release: that of `package.json`, which is beside the folder of the build. */
export const RELEASE = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
