import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { until } from '../../support/until.js';
import { temporal } from '../../support/temporal.js';

/** In the sources, not next to the compiled recorder. */
const FOLDER = pathToFileURL('test/histories/');

/** Saves histories as `<name>.json`. Already saved ones stay, since runs like them may still be open. */
export class Recorder {
  constructor(private readonly say: (line: string) => void) {}

  /** Saves the current history of a run, by default of the latest run with the id. */
  async save(name: string, workflowId: string, runId?: string): Promise<void> {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const file = new URL(`${name}.json`, FOLDER);
    if (existsSync(file)) return;
    await writeFile(file, anonymous(historyToJSON(history)));
    this.say(`  ${name}: ${history.events!.length} events`);
  }

  /** Waits until the latest run of the id has ended, and saves it. */
  async saveEnded(name: string, workflowId: string): Promise<void> {
    await until(() => isOver(workflowId));
    await this.save(name, workflowId);
  }

  /** Saves an ended run of a type, whatever its id. */
  async saveAny(name: string, type: keyof typeof WORKFLOWS): Promise<void> {
    const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
    const { workflowId, runId } = await until(async () => {
      for await (const run of temporal.workflow.list({ query })) return run;
      return null;
    });
    await this.save(name, workflowId, runId);
  }
}

/** The identity of a worker or client, which is also in its task queue: `<pid>@<host>…`. */
const PROCESS = /^\d+@/;

/** A history without data about the machine: process identities and stack traces. One event per line. */
function anonymous(history: string): string {
  const { events } = JSON.parse(history, (key, value) => {
    if (key === 'stackTrace') return '';
    return typeof value === 'string' && PROCESS.test(value) ? 'recorder' : value;
  }) as { events: object[] };
  return `{ "events": [\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n] }\n`;
}

/** True once the latest run with an id has ended. */
export const isOver = async (workflowId: string): Promise<boolean> => {
  const run = await temporal.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => null);
  return run?.status.name === 'COMPLETED';
};
