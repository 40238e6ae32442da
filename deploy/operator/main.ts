import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { loadConfigOrExit, loadInternalConfig } from '../../config/config.js';
import { ask, HELP, OperatorError, parseRequest, type InternalApi } from './request.js';

/**
 * The API of the environment. Without its settings, the API of the `npm start` that runs in this folder.
 * `npm start` reads INTERNAL_PORT from the environment too, so the port alone does not select the former.
 */
function internalApi(): InternalApi {
  const { INTERNAL_PORT, INTERNAL_TOKEN, INTERNAL_TOKEN_FILE, HOLDFAST_HOME = '.holdfast' } = process.env;
  if (!INTERNAL_PORT || !(INTERNAL_TOKEN || INTERNAL_TOKEN_FILE)) {
    try {
      const { internalUrl, internalToken } = JSON.parse(
        readFileSync(join(HOLDFAST_HOME, 'dev.json'), 'utf8'),
      );
      return { url: internalUrl, token: internalToken };
    } catch {
      throw new OperatorError(
        'Set INTERNAL_PORT and INTERNAL_TOKEN as for the API process, or run this in the folder of ' +
          'a running npm start.',
      );
    }
  }
  const { host, port, token } = loadConfigOrExit(loadInternalConfig);
  if (!token)
    throw new OperatorError('Set INTERNAL_TOKEN, or INTERNAL_TOKEN_FILE, to that of the API process.');
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, token };
}

/** The user's name; a container may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/**
 * `npm run operator -- <command>`: runs the internal actions as commands
 * (docs/operations.md#internal-actions).
 */
const args = process.argv.slice(2);
try {
  if (args.length === 0 || args.includes('--help')) console.log(HELP);
  else console.log(JSON.stringify(await ask(internalApi(), parseRequest(args, userName())), null, 2));
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
