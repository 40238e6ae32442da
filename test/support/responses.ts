import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which answers a run has seen is kept beside the stack's dev.json, a line an answer: `GET /v1/rooms/{id} 200`. */
const fileOf = (devJson: string): string => join(dirname(devJson), 'answers.txt');

export const noteAnswer = (devJson: string, answer: string): void =>
  appendFileSync(fileOf(devJson), `${answer}\n`);

export const forgetAnswers = (devJson: string): void => rmSync(fileOf(devJson), { force: true });

/** The good answers that the API's document promises and a run has not seen: nothing tests that they are so. */
export async function unseenAnswers(devJson: string, baseUrl: string): Promise<string[]> {
  const document: any = await (await fetch(`${baseUrl}/v1/openapi.json`)).json();
  const seen = new Set(readFileSync(fileOf(devJson), 'utf8').split('\n'));
  return Object.entries<any>(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries<any>(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => Number(status) < 400)
          .map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    )
    .filter((answer) => !seen.has(answer));
}
