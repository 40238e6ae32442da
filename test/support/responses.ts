import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpenApi } from '../../api/openapi/open-api.js';

/**
 * The responses received in a run, in a file next to dev.json: one line each, such as
 * `GET /v1/rooms/{id} 200`.
 */
const responsesFile = (devJson: string): string => join(dirname(devJson), 'responses.txt');

export const recordResponse = (devJson: string, response: string): void =>
  appendFileSync(responsesFile(devJson), `${response}\n`);

export const forgetResponses = (devJson: string): void => rmSync(responsesFile(devJson), { force: true });

/** The success responses in the API document that the run has not received, and so not tested. */
export async function unseenResponses(devJson: string, baseUrl: string): Promise<string[]> {
  const document = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as OpenApi;
  const seen = new Set(readFileSync(responsesFile(devJson), 'utf8').split('\n'));
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => Number(status) < 400)
          .map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    )
    .filter((response) => !seen.has(response));
}
