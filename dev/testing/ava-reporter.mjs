// Loaded by AVA: its TAP reporter throws for an error without a stack frame, since YAML has no `undefined`, and the tests
// that follow do not run.
import { createRequire } from 'node:module';

const yaml = createRequire(import.meta.resolve('ava'))('js-yaml');
const { safeDump } = yaml;
yaml.safeDump = (value, options) => safeDump(value, { ...options, skipInvalid: true });
