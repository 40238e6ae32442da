import { readFileSync } from 'node:fs';
import { openDatabase } from '../../db/data-source.js';
import type { DevJson } from '../../dev/launcher/stack.js';

const path = process.env.HOLDFAST_DEV_JSON;
if (!path) throw new Error('Run "npm test", or set HOLDFAST_DEV_JSON to the dev.json of a running stack.');

/** The current content of dev.json. Pids change when processes restart. */
export const readDevJson = (): DevJson => JSON.parse(readFileSync(path, 'utf8')) as DevJson;
export const dev = readDevJson();

export const db = await openDatabase({ url: dev.databaseUrl, poolSize: 5, connectTimeoutMs: 120_000 });
